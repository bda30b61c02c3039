import TestSupport
import Testing

@testable import HLS

@Suite struct InterstitialTests {
    private static let base = "https://media.example.com/live/video/index.m3u8?token=1"
    private static let head = "CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2020-01-02T21:55:44.000Z\""

    private func interstitials(_ attributes: String...) throws -> [Interstitial] {
        let tags = attributes.map { "#EXT-X-DATERANGE:" + $0 }.joined(separator: "\n")
        return try Samples.playlist(tags).interstitials(base: Self.base)
    }

    private func one(_ attributes: String) throws -> Interstitial {
        try #require(
            try interstitials("ID=\"ad1\",\(Self.head),X-ASSET-URI=\"https://ads.example.com/1.m3u8\",\(attributes)")
                .first
        )
    }

    @Test func readsEveryAttributeOfTheClass() throws {
        let found = try #require(
            try interstitials(
                "ID=\"ad1\",\(Self.head),DURATION=30,PLANNED-DURATION=31,CUE=\"PRE,ONCE\",X-ASSET-LIST=\"../ads/list.json?id=1\","
                    + "X-RESUME-OFFSET=-2.5,X-PLAYOUT-LIMIT=12.25,X-SNAP=\"OUT,IN\",X-RESTRICT=\"SKIP,JUMP\","
                    + "X-CONTENT-MAY-VARY=\"NO\",X-TIMELINE-OCCUPIES=\"RANGE\",X-TIMELINE-STYLE=\"PRIMARY\","
                    + "X-SKIP-CONTROL-OFFSET=2,X-SKIP-CONTROL-DURATION=5,X-SKIP-CONTROL-LABEL-ID=\"Exit-Label\","
                    + "X-AD-CREATIVE-SIGNALING=\"e30=\",X-COM-EXAMPLE-BEACON=123"
            ).first
        )
        #expect((found.id, found.startDate.iso8601) == ("ad1", "2020-01-02T21:55:44.000Z"))
        #expect(found.content == .assetList(uri: "https://media.example.com/live/ads/list.json?id=1"))
        #expect((found.duration, found.plannedDuration, found.cue) == (.seconds(30), .seconds(31), [.pre, .once]))
        #expect((found.resumeOffset, found.playoutLimit) == (.milliseconds(-2_500), .milliseconds(12_250)))
        #expect((found.snap, found.restrictions) == ([.out, .in], [.skip, .jump]))
        #expect(!found.contentMayVary)
        #expect(found.skipControl == SkipControl(offsetSeconds: 2, durationSeconds: 5, labelID: "Exit-Label"))
        #expect(found.creativeSignaling == "e30=")
    }

    @Test func defaultsHoldWhereNothingIsSaid() throws {
        let found = try one("X-OTHER=\"a\"")
        #expect((found.content, found.resumeOffset) == (.asset(uri: "https://ads.example.com/1.m3u8"), nil))
        #expect(found.playoutLimit == nil)
        #expect(found.snap.isEmpty && found.restrictions.isEmpty && found.contentMayVary)
        #expect(found.skipControl == nil)
        #expect(found.announcedDuration == nil)
    }

    @Test(arguments: [
        "X-RESUME-OFFSET=\"0\"", "X-RESUME-OFFSET=soon", "X-PLAYOUT-LIMIT=-1", "X-PLAYOUT-LIMIT=0x10",
        "X-SNAP=\"BOTH\"", "X-SNAP=OUT", "X-RESTRICT=\"SEEK\"", "X-CONTENT-MAY-VARY=\"MAYBE\"", "X-CONTENT-MAY-VARY=NO",
        "X-TIMELINE-OCCUPIES=\"AREA\"", "X-TIMELINE-STYLE=\"BOLD\"", "X-SKIP-CONTROL-OFFSET=1.5",
        "X-SKIP-CONTROL-OFFSET=-1", "X-SKIP-CONTROL-DURATION=\"5\"", "X-SKIP-CONTROL-LABEL-ID=\"a b\"",
        "X-AD-CREATIVE-SIGNALING=1",
    ]) func illegalAndUnknownValuesCountAsAbsent(_ attribute: String) throws {
        #expect(try one(attribute) == one("X-SNAP=\"\""))
    }

    @Test func knownMembersOfAListStandBesideUnknownOnes() throws {
        #expect(try one("X-SNAP=\"OUT,SIDEWAYS\"").snap == [.out])
        #expect(try one("X-RESTRICT=\"FLY, JUMP\"").restrictions == [.jump])
    }

    @Test(arguments: [
        "ID=\"a\",CLASS=\"com.example\",START-DATE=\"2020-01-02T21:55:44Z\",X-ASSET-URI=\"https://a/\"",
        "ID=\"a\",\(head)",
        "ID=\"a\",\(head),X-ASSET-URI=\"https://a/\",X-ASSET-LIST=\"https://b/\"",
        "ID=\"a\",\(head),X-ASSET-URI=\"\"",
        "ID=\"a\",\(head),X-ASSET-URI=1",
        "ID=\"a\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"https://a/\"",
    ]) func whatSchedulesNothingIsNone(_ attributes: String) throws { #expect(try interstitials(attributes).isEmpty) }

    @Test func interstitialsOfOneDateKeepTheirTagOrder() throws {
        let later = Self.head.replacing("44.000Z", with: "45.000Z")
        let found = try interstitials(
            "ID=\"c\",\(later),X-ASSET-URI=\"https://a/c\"",
            "ID=\"b\",\(Self.head),X-ASSET-URI=\"https://a/b\"",
            "ID=\"x\",START-DATE=\"2020-01-02T21:55:40Z\"",
            "ID=\"a\",\(Self.head),X-ASSET-URI=\"https://a/a\""
        )
        #expect(found.map(\.id) == ["b", "a", "c"])
    }

    @Test func theLimitsAndTheOffsetsOfNothingFollowTheSpecification() throws {
        let absent = try one("X-SNAP=\"\"")
        #expect(absent.playoutDuration(ofAssets: .seconds(30)) == .seconds(30))
        #expect(absent.resumeOffsetOfEmptyList == .zero)
        let limited = try one("X-PLAYOUT-LIMIT=12")
        #expect(limited.playoutDuration(ofAssets: .seconds(10)) == .seconds(10))
        #expect(limited.playoutDuration(ofAssets: .seconds(15)) == .seconds(12))
        let given = try one("X-PLAYOUT-LIMIT=12,X-RESUME-OFFSET=7")
        #expect(given.resumeOffsetOfEmptyList == .seconds(7))
        #expect(Interstitial.resumeOffsetOfFailure == .zero)
    }

    @Test(
        arguments: [
            ("DURATION=8", 8), ("X-SNAP=\"\"", nil), ("PLANNED-DURATION=8", nil), ("DURATION=8,X-RESUME-OFFSET=0", nil),
            ("DURATION=8,X-RESUME-OFFSET=8", 8), ("DURATION=8,X-RESUME-OFFSET=20", 20),
            ("DURATION=8,X-PLAYOUT-LIMIT=8", nil),
            ("DURATION=8,X-PLAYOUT-LIMIT=9", nil), ("DURATION=8,CUE=\"PRE\"", nil), ("DURATION=0", nil),
        ] as [(String, Int?)]
    ) func aDurationBindsAssetsThatReplaceTheProgramme(_ attributes: String, _ seconds: Int?) throws {
        #expect(try one(attributes).longestContent == seconds.map { .seconds($0) })
    }

    @Test func aSkipControlIsOverriddenMemberByMember() throws {
        let tag = try #require(SkipControl(offsetSeconds: 2, durationSeconds: 5, labelID: "Exit"))
        let list = SkipControl(offsetSeconds: nil, durationSeconds: 20, labelID: nil)
        #expect(tag.overridden(by: list) == SkipControl(offsetSeconds: 2, durationSeconds: 20, labelID: "Exit"))
        #expect(tag.overridden(by: nil) == tag)
        #expect(SkipControl(offsetSeconds: nil, durationSeconds: nil, labelID: nil) == nil)
    }
}
