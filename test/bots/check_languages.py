"""Compares the languages that people can choose with those of the framework.

    check_languages.py WHEEL_DIRECTORY < codes.json > problems.json

Left out are other spellings of a language that is there, and the codes of one provider.
"""

import json
import sys
from pathlib import Path

from framework import Framework

LEFT_OUT = {
    # Other spellings.
    *("cmn", "cmn-CN", "jv-JV", "jw", "mymr", "tl"),
    # Regions that only one provider has.
    *("ar-XA", "en-AB", "en-WL"),
    *(f"zh-CN-{province}" for province in ("guangxi", "henan", "liaoning")),
    *(f"zh-CN-{province}" for province in ("shaanxi", "shandong", "sichuan")),
}


def main() -> None:
    """Reads codes from stdin, writes the differences to stdout."""
    known = set(Framework(Path(sys.argv[1])).languages().values())
    chosen = set(json.load(sys.stdin))
    unknown = sorted(chosen - known)
    missing = sorted(known - LEFT_OUT - chosen)
    problems = [f"the release has no {code}" for code in unknown]
    json.dump([*problems, *(f"{code} can't be chosen" for code in missing)], sys.stdout)


if __name__ == "__main__":
    main()
