"""What comes with the app: data sets, and graphs of communities."""
