# playlist: 200,000 parts, anew each second.
# expected: anything
act = moving(lambda: live(repeated('#EXT-X-PART:DURATION=0.3,URI="a"\n', 200_000),
    "#EXT-X-PART-INF:PART-TARGET=0.33\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1\n"))
