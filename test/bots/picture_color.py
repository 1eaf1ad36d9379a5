"""Reads a picture's data URL from stdin, and prints its size and its color, apart from a small part of it.

It runs in the virtual environment of a project, which includes Pillow.
"""

import base64
import io
import json
import sys

import numpy as np
from PIL import Image

head, _, data = sys.stdin.read().partition(",")
assert head.startswith("data:image/"), head
picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
color = np.median(np.asarray(picture), axis=(0, 1))
print(json.dumps({"size": picture.size, "color": color.round().tolist()}))
