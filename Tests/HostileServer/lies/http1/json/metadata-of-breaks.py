# metadata: 40,000 breaks.
# expected: anything
act = document(lambda true: json.dumps(true | {"ad_breaks": {
    f"b{number}": {"type": "mid", "duration": 1.0, "ads": 1} for number in range(60_000)}}))
