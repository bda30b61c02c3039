# playlist: 50,000 interstitials.
# expected: anything
act = moving(lambda: live("", numbered('#EXT-X-DATERANGE:ID="i{}",CLASS="com.apple.hls.interstitial",'
    'START-DATE="2026-01-01T00:00:00Z",DURATION=1,X-ASSET-URI="/a.m3u8"\n', 50_000)))
