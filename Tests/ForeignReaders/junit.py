"""The names of the elements of a JUnit report, which has no character that XML forbids."""

import json, sys, xml.etree.ElementTree as tree
with open(sys.argv[1], "rb") as file: raw = file.read()
root = tree.fromstring(raw)
print(json.dumps({"names": sorted({each.tag for each in root.iter()}), "leads": []}))
assert not [c for c in raw.decode() if ord(c) < 32 and c not in "\n\r\t" or c in "\ufffe\uffff"]
