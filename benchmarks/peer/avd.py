"""In pyavd's venv: CPU seconds to validate and render avd.json, without the import."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pyavd

data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
pyavd.get_device_config(next(iter(data.values())))  # loads what it loads only once
begin = time.process_time()
texts = {}
for switch, values in data.items():
    if pyavd.validate_structured_config(values).validation_result.violations:
        raise SystemExit(f"{switch} is not valid")
    texts[switch] = pyavd.get_device_config(values)
seconds = time.process_time() - begin
print(json.dumps({"seconds": seconds, "switches": len(texts), "texts": texts}))
