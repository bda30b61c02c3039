# registration: A page for people.
# expected: anything
act = document(lambda true: "<html>")
