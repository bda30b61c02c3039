"""Prints whether a watcher waits longer for the first shard than the shards do for each other, with the lead that follows.

usage: read_containers.py ... | check_waits.py STANDARD_LEAD
"""
import json, sys

containers = json.load(sys.stdin)


def seconds(name, option, standard=None):
    arguments = containers[name]["args"]
    text = arguments[arguments.index(option) + 1] if option in arguments else standard
    return int(text[:-1]) * {"s": 1, "m": 60, "h": 3600}[text[-1]]


lead = seconds("final-1", "--start-lead", sys.argv[1])
gathering = seconds("final-1", "--gather-within")
print(0 < lead and 0 < gathering and lead + gathering < seconds("final-1-watch", "--begin-within"))
