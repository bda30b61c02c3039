# playlist: The same a tenth of a second later, on a connection that rests.
# expected: success
act = behind(0.1, SECOND)
