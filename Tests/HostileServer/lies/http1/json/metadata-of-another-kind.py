# metadata: Arrays where objects should be.
# expected: anything
act = document(lambda true: '{"tags": [], "ads": 1, "ad_breaks": "x"}')
