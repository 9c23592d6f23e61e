"""The models that read text, pictures and speech; each body finds its own weights."""
