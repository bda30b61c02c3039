import AdServing
import TestSupport
import Testing

@Suite struct MaskedBodyTests {
    private static let own = StreamID("8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL")
    private static let other = StreamID("1c2d3e4f-0a3c-4d8e-9a53-7b0c5d3c1a2b:DLS")

    private func fingerprint(_ text: String, _ own: StreamID = own) -> UInt64 {
        Array(text.utf8).withUnsafeBytes { MaskedBody.fingerprint($0, own: own) }
    }

    private func playlist(_ id: String) -> String {
        "#EXTM3U\n#EXTINF:5,\nseg1.ts?stream_id=\(id)&n=1\n#EXTINF:5,\n/linear/stream/\(id)/seg2.ts\n"
    }

    /// The literal colon, both cases of its escape, and an escape of the escape.
    @Test(arguments: [":", "%3A", "%3a", "%253A", "%253a", "%25253A"])
    func everySpellingOfTheOwnIDIsMasked(_ colon: String) {
        let plain = fingerprint(playlist(Self.own.rawValue))
        let spelled = fingerprint(playlist(Self.own.rawValue.replacing(":", with: colon)))
        #expect(spelled == plain)
    }

    @Test func bodiesOfTwoViewersAreEqualWhenMasked() {
        let first = fingerprint(playlist(Self.own.rawValue), Self.own)
        let second = fingerprint(playlist(Self.other.percentEncoded), Self.other)
        #expect(first == second)
    }

    @Test func theOwnIDIsMaskedWhereverItStands() {
        let anywhere = "x\(Self.own.rawValue)y\n\(Self.own.percentEncoded)"
        let hash = fingerprint(anywhere)
        #expect(fingerprint("x\(Self.other.rawValue)y\n\(Self.other.rawValue)", Self.other) == hash)
        #expect(fingerprint("xy\n") != hash)
    }

    @Test(arguments: ["x", "\n", "", "0"]) func anyOtherDifferenceShows(_ addition: String) {
        let body = playlist(Self.own.rawValue)
        let isSame = fingerprint(body + addition) == fingerprint(body)
        #expect(isSame == addition.isEmpty)
    }

    @Test(arguments: ["", "%", "%2", "%25", "%253", "stream_id", "stream_id=", "/stream/", "s", "8f5e"])
    func truncatedTextEnds(_ text: String) {
        for own in [Self.own, StreamID(""), StreamID("%")] { #expect(fingerprint(text, own) == fingerprint(text, own)) }
    }

    @Test func theHashIsStable() {
        #expect(fingerprint("") == fingerprint("", Self.other))
        #expect(fingerprint("#EXTM3U\n") == 7_721_731_856_336_716_653)
    }

    @Test func hashesOfManyBodiesDiffer() {
        let hashes = (0..<20_000).map { fingerprint("#EXTM3U\nseg\($0).ts\n") }
        #expect(Set(hashes).count == 20_000)
        let lengths = (0..<200).map { fingerprint(String(repeating: "\u{0}", count: $0)) }
        #expect(Set(lengths).count == 200)
    }

    @Test(arguments: 1...30) func noiseEnds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "stream_id=", "/stream/", "%25", "%3A", "%", Self.own.rawValue, Self.other.rawValue, "&", "\n", "8f5e", "s",
        ]
        for _ in 0..<200 {
            let text = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            #expect(fingerprint(text) == fingerprint(text), "seed \(seed)")
        }
    }
}
