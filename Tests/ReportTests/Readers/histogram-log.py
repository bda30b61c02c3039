import json, sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
reader = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000, 2))
lines, sums = [], {}
while True:
    h = reader.get_next_interval_histogram()
    if not h: break
    lines.append({"tag": h.get_tag(), "start": h.get_start_time_stamp(), "end": h.get_end_time_stamp(),
                  "count": h.get_total_count(), "maximum": h.get_max_value()})
    if h.get_tag() in sums: sums[h.get_tag()].add(h)
    else: sums[h.get_tag()] = h
print(json.dumps({"startTime": reader.get_start_time_sec(), "lines": lines,
                  "medians": {tag: h.get_value_at_percentile(50) for tag, h in sums.items()}}))
