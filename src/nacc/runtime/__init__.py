"""Running a packaged model without torch: words in, lattices out."""

import os

# ONNX Runtime keeps a device id and sends events to its vendor, unless this is set before it is
# loaded. Whoever has set it has decided.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
