"""Rules about files, each written once, each on the graph; one package per kind of subject."""
