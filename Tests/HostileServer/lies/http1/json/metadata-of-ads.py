# metadata: 20,000 ads without tags.
# expected: anything
act = document(lambda true: json.dumps(true | {"ads": {
    f"a{number}": {"ad_break_id": "x", "seq": number, "duration": 1.0, "slate": False} for number in range(40_000)}}))
