"""Exact play for push-your-luck dice games."""
