import json, sys
from hdrh.histogram import HdrHistogram
with open(sys.argv[1]) as file: data = json.load(file)
out = []
for text in data:
    h = HdrHistogram.decode(text)
    out.append({"count": h.get_total_count(), "minimum": h.get_min_value(), "maximum": h.get_max_value(),
                "percentiles": [h.get_value_at_percentile(p) for p in (50, 90, 95, 99, 99.9)]})
print(json.dumps(out))
