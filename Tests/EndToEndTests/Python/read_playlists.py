"""Reads multivariant playlists and all that they refer to with m3u8; a playlist that the parser refuses ends the script.

Prints the figures of each playlist, and of its media playlists.
"""
import json
import sys
from urllib.request import urlopen

import m3u8


def load(url):
    text = urlopen(url).read().decode("utf-8")
    assert text.startswith("#EXTM3U"), text[:200]
    return m3u8.loads(text, uri=url)


def figures(url):
    media = load(url)
    assert not media.is_variant, url
    for segment in media.segments:
        assert urlopen(segment.absolute_uri).status == 200, segment.absolute_uri
    durations = [segment.duration for segment in media.segments]
    assert all(round(duration) <= media.target_duration for duration in durations), url
    return {
        "url": url,
        "ended": media.is_endlist,
        "segments": len(durations),
        "milliseconds": round(sum(durations) * 1000),
        "undated": sum(1 for segment in media.segments if segment.current_program_date_time is None),
        "date_ranges": [range.id for segment in media.segments for range in segment.dateranges]
        + [range.id for range in getattr(media, "dateranges", [])],
        "discontinuities": sum(1 for segment in media.segments if segment.discontinuity),
    }


out = []
for url in sys.argv[1:]:
    multivariant = load(url)
    assert multivariant.is_variant, url
    out.append({
        "bandwidths": len({variant.stream_info.bandwidth for variant in multivariant.playlists}),
        "media": [figures(variant.absolute_uri) for variant in multivariant.playlists],
    })
print(json.dumps(out))
