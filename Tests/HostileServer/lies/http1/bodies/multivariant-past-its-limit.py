# multivariant: Five megabytes of variants.
# expected: body_too_large
act = body(lambda: START + "#" * 5_000_000)
