# playlist: 100,000 reports of renditions.
# expected: anything
act = moving(lambda: live(numbered('#EXT-X-RENDITION-REPORT:URI="{}",LAST-MSN=1\n', 150_000)))
