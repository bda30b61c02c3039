# playlist: A delta that leaves out four billion segments.
# expected: anything
act = moving(lambda: live("", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=6\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4000000000\n"))
