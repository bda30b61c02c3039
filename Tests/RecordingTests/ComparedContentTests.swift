import ExampleRuns
import Results
import Testing

@Suite struct ComparedContentTests {
    private static let spelled: [(ComparedContent, String)] = [
        (.pod("pod/7"), "pod/7"), (.pod("ad_break_id/mid-roll-3 720p"), "ad_break_id/mid-roll-3 720p"),
        (.rendition("640x360 avc1, one of 2", ofPod: "pod/7"), "pod/7 in 640x360 avc1, one of 2"),
        (.assetList("list 2026-11-21T08:12:00.000Z"), "asset list list 2026-11-21T08:12:00.000Z"),
        (.stitchedAds(rendition: nil), "stitched"),
        (.stitchedAds(rendition: "640x360, one of 2"), "stitched in 640x360, one of 2"),
        (.renditions(ofPod: "pod/7"), "renditions of pod/7"), (.manifestNotFound("00c0ffee"), "not found 00c0ffee"),
        (.partNotFound("00c0ffee"), "part not found 00c0ffee"),
    ]

    @Test(arguments: spelled) func findingsSpellItAsTheyAlwaysHave(content: ComparedContent, text: String) throws {
        #expect(content.text == text)
        for content in [content, .ofCohort("sports", content)] { #expect(try reread(content) == content) }
    }

    @Test func itIsOrderedAsItIsSpelled() {
        let contents = Self.spelled.map(\.0).shuffled()
        #expect(contents.sorted().map(\.text) == Self.spelled.map(\.1).sorted())
    }
}
