"""Runs the program: python -m mockserver_bin."""
from . import main

main()
