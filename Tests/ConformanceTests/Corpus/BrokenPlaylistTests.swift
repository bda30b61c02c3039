import Foundation
import TestSupport
import Testing

/// Playlists with mistakes of every kind: whatever is read of them, every invariant holds.
@Suite struct BrokenPlaylistTests {
    private static let folder = "Tests/HLSTests/Playlists"

    /// The examples of the specifications, and a media and a multivariant playlist with most tags.
    static let names =
        (FileManager.default.enumerator(atPath: PackageFolder.file(folder).path)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".m3u8") }.sorted()

    private static func bytes(of name: String) throws -> [UInt8] {
        Array(try PackageFolder.text("\(folder)/\(name)").utf8)
    }

    @Test(arguments: names) func theInvariantsHoldOfEveryMutation(name: String) throws {
        let whole = try Self.bytes(of: name)
        var generator = SeededGenerator(seed: UInt64(whole.count))
        for round in 0..<150 {
            var broken = whole
            for _ in 0...(generator.next() % 4) { Self.mutate(&broken, &generator) }
            #expect(throws: Never.self, "round \(round): \(String(decoding: broken, as: UTF8.self))") {
                // The broken one is also an update of the whole one.
                try Array(whole + Array("\n#--\n".utf8) + broken).withUnsafeBytes { try PlaylistInvariants.check($0) }
            }
        }
    }

    @Test(arguments: ["live.m3u8", "multivariant.m3u8"]) func theInvariantsHoldOfEveryBeginning(name: String) throws {
        let whole = try Self.bytes(of: name)
        for length in 0...whole.count {
            try Array(whole.prefix(length)).withUnsafeBytes { try PlaylistInvariants.check($0) }
        }
    }

    private static let tokens = [
        "\n", "\r", "\"", ",", "=", ":", "@", "#", "-", ".", "0x", "9E", "{", "}", "$", "\u{0}", "\t", "{$a}", "é",
        "18446744073709551615", "-9223372036854775808", "99999999999", "0", "#EXTINF:1,\n", "#EXT-X-DISCONTINUITY\n",
        "#EXT-X-CUE-OUT:99999999999\n", "#EXT-X-CUE-OUT-CONT:5/1\n", "#EXT-X-CUE-IN\n",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"ad1\"\n",
        "#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n", "#EXT-X-PROGRAM-DATE-TIME:9999-12-31T23:59:59Z\n",
        "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n", "#EXT-X-PART:DURATION=31557600000,URI=\"p\"\n",
        "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"0000-01-01T00:00:00Z\",SCTE35-OUT=0xFC,PLANNED-DURATION=31557600000\n",
        "#EXT-X-START:TIME-OFFSET=-31557600000\n",
    ]

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        switch generator.next() % 8 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 3: bytes.insert(contentsOf: (tokens.randomElement(using: &generator) ?? "").utf8, at: place)
        case 4: bytes[place...] = ArraySlice((place..<end).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        case 5:
            lines.remove(at: Int.random(in: lines.indices, using: &generator))
            bytes = Array(lines.joined(separator: [0x0A]))
        case 6:
            lines.append(lines.randomElement(using: &generator) ?? [])
            bytes = Array(lines.joined(separator: [0x0A]))
        default: bytes = Array(([lines[0]] + lines.dropFirst().shuffled(using: &generator)).joined(separator: [0x0A]))
        }
    }
}
