"""``python -m kubectl_fairshare``: the program under its module name."""

from kubectl_fairshare.cli.main import process

if __name__ == "__main__":
    process()
