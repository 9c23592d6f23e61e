"""`python -m mmem` is `mmem`."""

from mmem.cli import main

if __name__ == "__main__":
    main()
