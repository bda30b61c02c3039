# playlist: Segments at addresses that nobody may ask.
# expected: anything
act = body(lambda: live("".join(f"#EXTINF:1,\n{one}\n" for one in (
    "file:///etc/passwd", "http://169.254.169.254/", "gopher://127.0.0.1/", "//unauthorised.invalid/", "http://[", "?"))))
