"""Prints the profile whose bill cannot be that of 24 viewers in 155 s; only `scale` has no breaks."""

import json, sys

bill, profile = json.load(open(sys.argv[1])), sys.argv[2]
counts = {kind: line["count"] for kind, line in bill["requests"].items()}
polls = counts.get("playlist", 0) + counts.get("blocking_playlist", 0)
has_breaks = bill["breaks"].get("due", 0) > 0
if polls <= 240 or counts.get("multivariant", 0) > 48 or has_breaks == (profile == "scale.yaml"):
    print(profile, counts, bill["breaks"])
