# playlist: Durations whose sum no number holds.
# expected: anything
act = body(lambda: live("#EXTINF:9223372036854775807,\na\n" * 1_000))
