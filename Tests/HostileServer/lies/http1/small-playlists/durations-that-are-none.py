# playlist: Infinite and other durations.
# expected: anything
act = body(lambda: live("".join(f"#EXTINF:{one},\na\n" for one in ("inf", "nan", "-1", "1e308", "1e999", "0x10", "9" * 400))))
