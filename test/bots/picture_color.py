"""Reads a picture's data URL from stdin, and prints its size and most frequent color.

It runs in the virtual environment of a project, which includes Pillow.
"""

import base64
import io
import json
import sys
from collections import Counter

from PIL import Image


def main() -> None:
    """Finds the color. Colors that may differ only by compression count as one."""
    head, _, data = sys.stdin.read().partition(",")
    assert head.startswith("data:image/"), head
    picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    pixels = list(picture.getdata())
    rough, _ = Counter(tuple(value // 16 for value in pixel) for pixel in pixels).most_common(1)[0]
    like = [pixel for pixel in pixels if tuple(value // 16 for value in pixel) == rough]
    color = [sum(channel) // len(like) for channel in zip(*like)]
    print(json.dumps({"size": picture.size, "color": color}))


if __name__ == "__main__":
    main()
