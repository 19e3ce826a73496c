"""Runs the program: python -m mockserver_swift."""
from . import main

main()
