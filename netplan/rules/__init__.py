"""Rules about files, each written once, each on the graph; a package for each kind of subject."""
