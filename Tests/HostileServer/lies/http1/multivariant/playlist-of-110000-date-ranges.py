# playlist: More date ranges than a playlist may hold, anew each second.
# expected: body_too_large, anything
act = moving(lambda: live("", ranges(110_000)))
