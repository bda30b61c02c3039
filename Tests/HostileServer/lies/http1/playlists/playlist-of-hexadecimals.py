# playlist: A splice of six megabytes.
# expected: anything
act = moving(lambda: live("", '#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z",SCTE35-OUT=0x'
    + "FC" * 3_000_000 + "\n"))
