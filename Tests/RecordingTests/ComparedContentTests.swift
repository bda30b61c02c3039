import Foundation
import Recording
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

    @Test(arguments: spelled) func journalsSpellItAsTheyAlwaysHave(content: ComparedContent, text: String) {
        #expect(content.text == text)
        #expect(ComparedContent(text: text) == content)
    }

    @Test func itIsOrderedAsItIsSpelled() {
        let contents = Self.spelled.map(\.0).shuffled()
        #expect(contents.sorted().map(\.text) == Self.spelled.map(\.1).sorted())
    }

    /// Written by a version that kept the texts themselves.
    @Test func aJournalOfAnEarlierVersionReadsAndIsWrittenTheSame() throws {
        let seen =
            #"{"first":{"evidence":{"expected":"","observed":"","url":""},"viewer":1,"wallMicroseconds":5},"#
            + #""last":{"evidence":{"expected":"","observed":"","url":""},"viewer":1,"wallMicroseconds":5}}"#
        let pods = Self.spelled.map(\.1).sorted().map { identifier in
            #"{"fingerprint":1,"identifier":"\#(identifier)","pod":{"observations":1,"seen":\#(seen),"viewers":@}}"#
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let viewers = String(decoding: try encoder.encode(ViewerSet()), as: UTF8.self)
        let journal = "{\"pods\":[" + pods.joined(separator: ",").replacing("@", with: viewers) + "]}"
        let ledger = try JSONDecoder().decode(PodLedger.self, from: Data(journal.utf8))
        #expect(Set(ledger.pods.keys) == Set(Self.spelled.map(\.0)))
        #expect(String(decoding: try encoder.encode(ledger), as: UTF8.self) == journal)
    }
}
