import AdServing
import Testing

@Suite struct PodIdentifierTests {
    @Test(
        arguments: [
            ("https://dai.google.com/linear/pods/v1/hls/network/1/custom_asset/k/pod/7.m3u8?stream_id=x", .sequence(7)),
            ("/linear/pods/v1/hls/network/1/custom_asset/k/ad_break_id/mid-roll-3.m3u8", .adBreakID("mid-roll-3")),
            ("/linear/pods/v1/seg/network/1/custom_asset/k/pod/7/profile/360p/0.mp4", .sequence(7)),
            ("/k/ad_break_id/a%20b/token/360p.m3u8", .adBreakID("a b")),
            ("pod.json?stream_id=x&ad_break_id=mid-roll-3", .adBreakID("mid-roll-3")),
            ("list.json?pod_id=12#end", .sequence(12)), ("/media/pod/creative.mp4", nil), ("/pod", nil),
            ("/pod/-1.m3u8", nil), ("/a?pod_id=x", nil), ("", nil), ("/a?xpod_id=3", nil), ("/a#?pod_id=3", nil),
        ] as [(String, PodIdentifier?)]
    ) func aURLNamesAPodByItsPathOrByAParameter(url: String, identifier: PodIdentifier?) {
        #expect(PodIdentifier(inURL: url) == identifier)
    }
}
