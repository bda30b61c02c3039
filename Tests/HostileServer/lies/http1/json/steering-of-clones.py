# steering: 2,000 clones.
# expected: anything
act = document(lambda true: json.dumps(true | {"PATHWAY-CLONES": [
    {"ID": f"c{number}", "BASE-ID": "A" if number == 0 else f"c{number - 1}", "URI-REPLACEMENT": {"HOST": "unauthorised.invalid"}}
    for number in range(2_000)]}))
