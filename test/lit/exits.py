"""exits.py CODE COMMAND...: runs the command and wants that exit code."""
import subprocess
import sys

found = subprocess.run(sys.argv[2:], check=False).returncode
if found != int(sys.argv[1]):
    sys.exit(f"exit code {found}, expected {sys.argv[1]}: {' '.join(sys.argv[2:])}")
