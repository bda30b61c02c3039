import Foundation
import TestSupport
import Testing

@testable import HLS

@Suite struct WallTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-21T20:00:00.000Z", 1_795_291_200_000_000),
        ("2026-11-21T20:00:00Z", 1_795_291_200_000_000), ("2026-11-21T20:00:00", 1_795_291_200_000_000),
        ("2026-11-21t20:00:00z", 1_795_291_200_000_000), ("2026-11-21T21:30:00.5+01:30", 1_795_291_200_500_000),
        ("2026-11-21T21:30:00.5+0130", 1_795_291_200_500_000), ("2026-11-21T12:00:00-08", 1_795_291_200_000_000),
        ("2026-11-21T12:00:00-08:00", 1_795_291_200_000_000), ("2026-11-21T20:00Z", 1_795_291_200_000_000),
        ("2026-11-22T04:00+08:00", 1_795_291_200_000_000), ("2026-11-21T20:00:00.123456789Z", 1_795_291_200_123_456),
        ("2026-11-21T20:00:00,25Z", 1_795_291_200_250_000),
        ("2026-11-21T20:00:00.1234567890123Z", 1_795_291_200_123_456), ("2024-02-29T23:59:60Z", 1_709_251_200_000_000),
        ("1969-12-31T23:59:59.999Z", -1_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ]) func readsDatesAsPlaylistsWriteThem(_ text: String, _ microseconds: Int64) throws {
        #expect(try #require(WallTime(iso8601: text)).microseconds == microseconds)
        #expect(WallTime(iso8601: Array(text.utf8)) == WallTime(microseconds: microseconds))
        #expect(WallTime(iso8601: text.utf8.reversed().reversed() as [UInt8]) == WallTime(microseconds: microseconds))
    }

    @Test(arguments: [
        ("2026-11-20T24:00:00Z", 1_795_219_200_000_000), ("2026-11-20T24:00:00.000Z", 1_795_219_200_000_000),
        ("2026-11-21T20Z", 1_795_291_200_000_000), ("2026-11-21T20.5Z", 1_795_293_000_000_000),
        ("2026-11-21T20:00", 1_795_291_200_000_000), ("2026-11-21T20:00.5Z", 1_795_291_230_000_000),
        ("20261121T2000Z", 1_795_291_200_000_000), ("2026-325T20:00:00Z", 1_795_291_200_000_000),
        ("2026325T220000+02", 1_795_291_200_000_000), ("2024-366T00:00:00Z", 1_735_603_200_000_000),
        ("2026-W47-6T20:00:00Z", 1_795_291_200_000_000), ("2026-W47-6T20:00:00.000Z", 1_795_291_200_000_000),
        ("2026W476T200000Z", 1_795_291_200_000_000), ("2020-W53-5T00:00:00Z", 1_609_459_200_000_000),
        ("2025-W01-1T00:00:00Z", 1_735_516_800_000_000),
    ]) func readsRareFormsOfISO8601(_ text: String, _ microseconds: Int64) throws {
        #expect(try #require(WallTime(iso8601: text)).microseconds == microseconds)
    }

    /// The usual spelling is read eight bytes at a time, and any other byte by byte: both by the same rules.
    @Test func theUsualSpellingIsReadAsAnyOther() throws {
        var numbers = SystemRandomNumberGenerator()
        var read = 0
        for _ in 0..<20_000 {
            var text = Array("2026-11-21T20:00:00.000Z".utf8)
            for place in text.indices where text[place] == UInt8(ascii: "0") || Bool.random(using: &numbers) {
                guard (0x30...0x39).contains(text[place]) else { continue }
                text[place] = UInt8(ascii: "0") + UInt8.random(in: 0...2, using: &numbers)
            }
            if Int.random(in: 0..<4, using: &numbers) == 0 {
                text[Int.random(in: 0..<23, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            let other = WallTime(iso8601: text.dropLast() + Array("+00:00".utf8))
            try #require(WallTime(iso8601: text) == other, "\(String(decoding: text, as: UTF8.self))")
            read += other == nil ? 0 : 1
        }
        #expect(read > 1_000)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T", "2026-11-21TZ", "2026-11-21T20.Z", "2026-11-21T20:00:Z",
        "T20:00:00Z", "2026-11T20:00:00Z", "2026-000T00Z", "2026-366T00Z", "2026-W00-1T00Z", "2026-W54-1T00Z",
        "2025-W53-1T00Z", "2026-W01-0T00Z", "2026-W01-8T00Z", "2026-11-21T2000Z", "20261121T20:00Z",
        "2026-11-21T24:00:01Z", "2026-11-21T24:00:00.1Z", "2026-11-21T24:01Z", "2026-11-21T25Z", "9999-12-31T24:00:00Z",
        "2026-11-21 20:00:00Z", "2026/11/21T20:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-21T20:60:00Z",
        "2026-11-21T20:00:61Z", "2026-11-21T20:00:00.Z", "2026-11-21T20:00:00Z ",
        "2026-11-21T20:00:00+1", "2026-11-21T20:00:00+24:00", "2026-11-21T20:00:00+01-30", "2026-11-21T20:00:00+01:60",
        "2026-11-2xT20:00:00Z", "+026-11-21T20:00:00Z", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00",
        "9999-12-31T23.9-00:30", "0000-01-01T00.2+00:30", "2026-11-21T20:00:00é",
    ]) func refusesWhatIsNoDate(_ text: String) { #expect(WallTime(iso8601: text) == nil) }

    @Test(arguments: [
        (1_795_291_200_000_000, "2026-11-21T20:00:00.000Z"),
        (1_795_291_200_250_000, "2026-11-21T20:00:00.250Z"),
        (1_795_291_200_000_001, "2026-11-21T20:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00.000Z"),
    ]) func writesMillisecondsAndMicrosecondsOnlyWhereNeeded(_ microseconds: Int64, _ text: String) {
        #expect(WallTime(microseconds: microseconds).iso8601 == text)
    }

    @Test(arguments: 1...40) func everyInstantReadsBackAsWritten(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999
            let time = WallTime(microseconds: Int64.random(in: range, using: &generator))
            #expect(WallTime(iso8601: time.iso8601) == time, "seed \(seed)")
        }
    }

    @Test(arguments: 1...10) func agreesWithFoundation(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let seconds = Int64.random(in: 0...4_000_000_000, using: &generator)
            let expected = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
            let time = WallTime(microseconds: seconds * 1_000_000)
            #expect(time.iso8601.replacing(".000Z", with: "Z") == expected, "seed \(seed)")
        }
    }

    @Test func writesAnyInstantWithoutATrap() {
        #expect(WallTime(microseconds: .max).iso8601 == "+294247-01-10T04:00:54.775807Z")
        #expect(WallTime(microseconds: .min).iso8601.hasPrefix("-290308-12-21T"))
    }

    @Test func arithmeticClampsAtTheEndsOfTime() {
        let last = WallTime(microseconds: .max)
        let first = WallTime(microseconds: .min)
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect(WallTime(microseconds: 0) + .seconds(Int64.max) == last)
        #expect(WallTime(microseconds: 0) + .seconds(Int64.min) == first)
        #expect(last.duration(since: first) == .microseconds(Int64.max))
        #expect(first.duration(since: last) == .microseconds(Int64.min))
    }

    @Test func epochSecondsRoundDown() {
        #expect(WallTime(microseconds: 1_999_999).epochSeconds == 1)
        #expect(WallTime(microseconds: -1).epochSeconds == -1)
        #expect(WallTime(microseconds: -1_000_000).epochSeconds == -1)
        #expect((WallTime(microseconds: 5_000_000) - .milliseconds(1)).epochSeconds == 4)
        #expect((WallTime(microseconds: 5) - .microseconds(-5)).microseconds == 10)
    }

    @Test func isWrittenAsTextInJSON() throws {
        let times = [WallTime(microseconds: 1_795_291_200_000_001)]
        let json = try JSONEncoder().encode(times)
        #expect(String(decoding: json, as: UTF8.self) == #"["2026-11-21T20:00:00.000001Z"]"#)
        #expect(try JSONDecoder().decode([WallTime].self, from: json) == times)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WallTime].self, from: Data(#"["yesterday"]"#.utf8))
        }
    }
}
