"""SONiC's config_db files to tables of rows of texts, each with its place."""
