# steering: 20,000 pathways.
# expected: anything
act = document(lambda true: json.dumps(true | {"PATHWAY-PRIORITY": [f"p{number}" for number in range(20_000)]}))
