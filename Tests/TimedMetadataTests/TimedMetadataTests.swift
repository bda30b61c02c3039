import Foundation
import TestSupport
import Testing

@testable import HLS

/// Timed texts of segments that mutagen and ffmpeg wrote (`Fixtures/record.py`).
@Suite struct TimedMetadataTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: PackageFolder.file("Tests/TimedMetadataTests/Fixtures/\(name)")))
    }

    static func metadata(_ bytes: [UInt8], timescales: [UInt32: UInt32] = [:]) -> TimedMetadata {
        bytes.withUnsafeBytes { TimedMetadata(reading: $0, timescales: timescales) }
    }

    @Test(arguments: ["utf8.id3", "utf16.id3", "latin1.id3"])
    func tagsOfAnotherWriterAreRead(name: String) throws {
        let bytes = try Self.fixture(name)
        #expect(Self.metadata(bytes).texts == [TimedText(text: "google_0123456789-start")])
        #expect(Self.metadata(bytes + bytes).texts.count == 2, "one tag after another")
    }

    @Test func aTransportStreamOfFFmpegIsRead() throws {
        let texts = Self.metadata(try Self.fixture("ffmpeg.ts")).texts
        #expect(
            texts.map(\.text) == [
                "google_0123456789-start-xxxxx", "google_0123456789-midpoint-\(String(repeating: "x", count: 300))",
                "google_0123456789-complete-xxxxx",
            ]
        )
        #expect(texts.map(\.offsetMicroseconds) == [0, 500_000, 900_000])
    }

    @Test func eventMessagesBesideAFragmentOfFFmpegAreRead() throws {
        let initialization = Self.metadata(try Self.fixture("ffmpeg-init.mp4"))
        #expect(initialization.timescales == [1: 12_800])
        #expect(initialization.texts.isEmpty)
        let bytes = try Self.fixture("ffmpeg-messages.m4s")
        let known = Self.metadata(bytes, timescales: initialization.timescales).texts
        #expect(known.map(\.text) == ["google_1-of-aom", "google_2-of-apple", "google_3-as-it-is"])
        #expect(known.map(\.offsetMicroseconds) == [500_000, 250_000, 900_000])
        let unknown = Self.metadata(bytes).texts
        #expect(unknown.map(\.offsetMicroseconds) == [nil, 250_000, nil])
        let whole = Self.metadata(try Self.fixture("ffmpeg-init.mp4") + bytes).texts
        #expect(whole == known, "a segment that begins with its own initialisation")
    }

    @Test(arguments: ["ffmpeg.ts", "ffmpeg-messages.m4s", "utf16.id3", "ffmpeg-init.mp4"])
    func whatIsCutOffOrGarbageNeverTraps(name: String) throws {
        let bytes = try Self.fixture(name)
        for length in stride(from: 0, through: bytes.count, by: bytes.count > 4_000 ? 37 : 1) {
            _ = Self.metadata(Array(bytes.prefix(length)))
            _ = Self.metadata(Array(bytes.dropFirst(length)))
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = Self.metadata(changed, timescales: [1: 1, 2: .max])
        }
    }

    @Test func otherThingsCarryNothing() {
        #expect(Self.metadata([]) == TimedMetadata())
        #expect(Self.metadata(Array("#EXTM3U\n".utf8)) == TimedMetadata())
        #expect(Self.metadata([UInt8](repeating: 0x47, count: 188 * 3)) == TimedMetadata())
        #expect(Self.metadata([UInt8](repeating: 0, count: 1_000)) == TimedMetadata())
        #expect(Self.metadata([UInt8](repeating: 0xFF, count: 1_000)) == TimedMetadata())
    }
}
