import Testing

@testable import HLS

/// Odd boxes around event messages.
@Suite struct EventMessageTests {
    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        integer(UInt32(content.count + 8)) + Array(name.utf8) + content
    }

    private static func integer<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func message(time: UInt64, timescale: UInt32, text: String = "google_a") -> [UInt8] {
        let names = Array("urn:google:dai:2018\0\0".utf8)
        let numbers: [UInt8] = integer(timescale) + integer(time) + integer(UInt32.max) + integer(UInt32(1))
        return box("emsg", [1, 0, 0, 0] + numbers + names + Array(text.utf8))
    }

    @Test func timesAtTheEdgeOfWhatCanBeHeldAreHeld() {
        for (time, timescale) in [(UInt64.max, UInt32(1)), (.max, .max), (0, .max)] {
            let texts = TimedMetadataTests.metadata(Self.message(time: time, timescale: timescale)).texts
            #expect(texts.count == 1)
        }
        #expect(TimedMetadataTests.metadata(Self.message(time: 1, timescale: 0)).texts.isEmpty, "no clock at all")
    }

    @Test func boxesOfAnySizeAreSteppedOver() {
        let long = Self.integer(UInt32(1)) + Array("free".utf8) + Self.integer(UInt64(20)) + [1, 2, 3, 4]
        let last = Self.integer(UInt32(0)) + Array("mdat".utf8) + [1, 2, 3]
        let message = Self.message(time: 5, timescale: 10)
        #expect(TimedMetadataTests.metadata(long + message + last).texts.map(\.text) == ["google_a"])
        let endless = Self.integer(UInt32(1)) + Array("free".utf8) + Self.integer(UInt64.max)
        #expect(TimedMetadataTests.metadata(endless + message).texts.isEmpty)
        #expect(TimedMetadataTests.metadata([0, 0, 0, 4] + message).texts.isEmpty)
    }

    @Test func theEarliestTrackSaysWhenASegmentBegins() {
        let tracks = [(UInt32(1), UInt32(90)), (2, 60)].flatMap { track, time in
            let header = Self.box("tfhd", [0, 0, 0, 0] + Self.integer(track))
            return Self.box("traf", header + Self.box("tfdt", [0, 0, 0, 0] + Self.integer(time)))
        }
        let segment = Self.box("moof", tracks) + Self.message(time: 40, timescale: 10)
        let texts = TimedMetadataTests.metadata(segment, timescales: [1: 30, 2: 30]).texts
        #expect(texts == [TimedText(text: "google_a", offsetMicroseconds: 2_000_000)])
    }
}
