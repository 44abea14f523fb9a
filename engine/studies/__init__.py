"""Studies: many ensembles x methods x parameters, run in the background, stored, compared with honest statistics."""
