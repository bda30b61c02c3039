import AdServing
import HLS
import Testing

@testable import Audit
@testable import Viewer

/// What is shown of bodies that differ.
@Suite struct BodySummaryTests {
    private static let own = StreamID("00000000-0000-4000-8000-000000000001:TUL")

    @Test func aPodIsToldByItsAds() throws {
        let id = Self.own.percentEncoded
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:5
            #EXTINF:5,
            https://user:word@h/linear/x/\(id)/ad/1/0.m4s?auth-token=secret&stream_id=\(id)
            #EXTINF:2.5,
            https://h/linear/x/\(id)/ad/1/1.m4s?auth-token=secret
            #EXT-X-DISCONTINUITY
            #EXTINF:5,
            /ad/2/0.m4s?auth-token=secret
            #EXT-X-ENDLIST

            """
        let summary = BodySummary.text(of: try MediaPlaylist.parsed(text), own: Self.own)
        #expect(summary == "3 segments, 12500 ms; …/ad/1/0.m4s 7500 ms in 2; ad/2/0.m4s 5000 ms in 1")
    }

    @Test func anAssetListIsToldByItsAssets() {
        let list = AssetList(assets: [
            .init(uri: "http://h/a.m3u8?token=secret", duration: .seconds(10)),
            .init(uri: "http://h/b.m3u8", duration: .milliseconds(2_500)),
        ])
        #expect(BodySummary.text(of: list, own: nil) == "2 assets; a.m3u8 10000 ms; b.m3u8 2500 ms")
    }

    @Test func whateverComesIsBounded() throws {
        let assets = (0..<1_000).map { AssetList.Asset(uri: String(repeating: "x", count: $0), duration: .seconds(1)) }
        #expect(BodySummary.text(of: AssetList(assets: assets), own: nil).utf8.count < 700)
        #expect(Redaction.name(of: String(repeating: "y", count: 10_000), own: nil).count == 80)
    }
}
