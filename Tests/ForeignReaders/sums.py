"""Says "ok" where each distribution of the first result holds, value by value, what those of the others hold together."""

import collections, json, sys
from hdrh.histogram import HdrHistogram

def distributions(path):
    with open(path) as file: document = json.load(file)
    found = {}
    def walk(place, node):
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else []
        if isinstance(node, dict) and "histogram" in node:
            counts = collections.Counter()
            for item in HdrHistogram.decode(node["histogram"]["data"]).get_recorded_iterator():
                counts[item.value_iterated_to] += item.count_at_value_iterated_to
            found[place] = (counts, node["count"], node["sum_us"], node["min_us"], node["max_us"])
        for key, child in children: walk(f"{place}/{key}", child)
    walk("", {key: document[key] for key in ("requests", "breaks")})
    return found

whole, *parts = map(distributions, sys.argv[1:])
assert len(parts) == 4 and len(whole) > 30
for place, (counts, count, total, least, most) in whole.items():
    of = [part[place] for part in parts if place in part and part[place][1]]
    assert counts == sum((part[0] for part in of), collections.Counter()), place
    assert (count, total) == (sum(part[1] for part in of), sum(part[2] for part in of)), place
    assert not of or (least, most) == (min(part[3] for part in of), max(part[4] for part in of)), place
print("ok")
