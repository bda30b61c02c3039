import Testing

@testable import HLS

@Suite struct DateRangeAugmentationTests {
    private func range(_ attributes: String) throws -> DateRange {
        let tag = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"" + attributes
        return try #require(try Samples.mediaPlaylist(Samples.media(tag)).dateRanges.first)
    }

    @Test func aPlayoutLimitThatComesLaterIsAdded() throws {
        let known = try range(",X-ASSET-URI=\"https://a/\",X-RESUME-OFFSET=0")
        let later = try range(",X-ASSET-URI=\"https://a/\",X-RESUME-OFFSET=0,X-PLAYOUT-LIMIT=12")
        let result = known.augmented(by: later)
        #expect(result.added == ["X-PLAYOUT-LIMIT"])
        #expect(result.changesAnything)
        #expect(result.conflicting.isEmpty)
        #expect(result.missing.isEmpty)
        #expect(result.range == later)
    }

    @Test func theSameAgainChangesNothing() throws {
        let known = try range(",CLASS=\"c\",CUE=\"PRE\",DURATION=3,SCTE35-OUT=0xFC,X-A=1")
        let result = known.augmented(by: known)
        #expect(!result.changesAnything)
        #expect(result.conflicting.isEmpty)
        #expect(result.missing.isEmpty)
        #expect(result.range == known)
    }

    @Test func changesAndLossesAreNotedAndTheKnownStands() throws {
        let known = try range(",PLANNED-DURATION=30,X-A=\"1\",X-B=\"2\"")
        let later = try range(",PLANNED-DURATION=31,X-A=\"9\",DURATION=20,SCTE35-IN=0xFC")
        let result = known.augmented(by: later)
        #expect(result.added == ["DURATION", "SCTE35-IN"])
        #expect(result.conflicting == ["PLANNED-DURATION", "X-A"])
        #expect(result.missing == ["X-B"])
        #expect(result.range.plannedDuration == .seconds(30))
        #expect(result.range.duration == .seconds(20))
        #expect(result.range.attributes == ["X-A": .quoted("1"), "X-B": .quoted("2")])
        #expect(result.range.conflictingAttributes == ["PLANNED-DURATION", "X-A"])
    }

    @Test func everyAttributeTakesPart() throws {
        let bare = try range("")
        let full = try range(
            ",CLASS=\"c\",END-DATE=\"2026-11-21T20:00:30Z\",DURATION=30,PLANNED-DURATION=31,CUE=\"ONCE\","
                + "SCTE35-CMD=0x01,SCTE35-OUT=0x02,SCTE35-IN=0x03,X-A=1"
        )
        let names = [
            "CLASS", "CUE", "DURATION", "END-DATE", "PLANNED-DURATION", "SCTE35-CMD", "SCTE35-IN", "SCTE35-OUT", "X-A",
        ]
        #expect(bare.augmented(by: full).added == names)
        #expect(full.augmented(by: bare).missing == names)
        #expect(try bare.augmented(by: range(",CLASS=\"c\",END-ON-NEXT=YES")).added == ["CLASS", "END-ON-NEXT"])
    }
}
