"""What leaves the app: pictures, films, tables."""
