# playlist: Dates in no calendar.
# expected: anything
act = body(lambda: live("".join(f"#EXT-X-PROGRAM-DATE-TIME:{one}\n#EXTINF:1,\na\n" for one in (
    "99999-01-01T00:00:00Z", "0000-00-00T00:00:00Z", "-1-1-1", "2026-02-30T25:61:61Z", "9999-12-31T23:59:59.999999999999Z"))))
