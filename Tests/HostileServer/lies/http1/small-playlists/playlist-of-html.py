# playlist: A page for people.
# expected: anything
act = body(lambda: "<!DOCTYPE html><html><body>" + "<p>" * 50_000)
