import json, sys
from hdrh.histogram import HdrHistogram
with open(sys.argv[1]) as file: texts = json.load(file)
print(json.dumps([HdrHistogram.decode(t).encode().decode() for t in texts]))
