# metadata: The same as metadata.
# expected: body_too_large
act = coded(lambda body: bomb(b" "))
