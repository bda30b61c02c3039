# playlist: Bytes that are no HTTP behind the answer.
# expected: success
act = behind(0, b"\0\xff" * 500)
