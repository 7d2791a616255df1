#!/bin/sh
# make lock: what may be installed, to the byte. Every list has the hashes of all files of a version, so that it holds on
# other systems and Python versions as far as these need no other packages. --upgrade comes through PIP_COMPILE_OPTIONS.
set -eu
compile() {
  CUSTOM_COMPILE_COMMAND="make lock" "$pip_compile" --quiet --no-config --generate-hashes --allow-unsafe --strip-extras \
    --no-emit-find-links --no-emit-index-url --no-emit-trusted-host ${PIP_COMPILE_OPTIONS:-} "$@"
}
pip_compile=$1
compile -o requirements/build.txt requirements/build.in
compile -o requirements/runtime.txt pyproject.toml
compile --extra dev --extra avd -c requirements/runtime.txt -o requirements/ci.txt pyproject.toml requirements/build.in
