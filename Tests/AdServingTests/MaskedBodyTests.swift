import AdServing
import Testing

@Suite struct MaskedBodyTests {
    private static let own = StreamID("8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL")
    private static let other = StreamID("1c2d3e4f-0a3c-4d8e-9a53-7b0c5d3c1a2b:DLS")

    private func fingerprint(_ text: String, _ own: StreamID = own) -> (hash: UInt64, foreign: String?) {
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
        #expect(spelled.hash == plain.hash)
        #expect(spelled.foreign == nil)
        #expect(plain.foreign == nil)
    }

    @Test(
        arguments: [
            ("a.ts?stream_id=x", true), ("stream_id=x", true), ("a_b_stream_id=1\nc?stream_id=2", true),
            ("a.ts?my_stream_id=x", false), ("a.ts?stream_id=", false), ("a.ts?stream_id={$id}", false),
            ("a_b_c.ts?_id=x", false), ("_id=", false), ("", false), ("/linear/stream/abc/1.ts", false),
        ]
    )
    func aBodyThatNamesASessionIsKnown(text: String, namesSession: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { MaskedBody.namesSession($0) } == namesSession)
        #expect((fingerprint(text, StreamID("")).foreign != nil) == namesSession)
    }

    @Test func bodiesOfTwoViewersAreEqualWhenMasked() {
        let first = fingerprint(playlist(Self.own.rawValue), Self.own)
        let second = fingerprint(playlist(Self.other.percentEncoded), Self.other)
        #expect(first.hash == second.hash)
    }

    @Test func theOwnIDIsMaskedWhereverItStands() {
        let anywhere = "x\(Self.own.rawValue)y\n\(Self.own.percentEncoded)"
        let hash = fingerprint(anywhere).hash
        #expect(fingerprint("x\(Self.other.rawValue)y\n\(Self.other.rawValue)", Self.other).hash == hash)
        #expect(fingerprint("xy\n").hash != hash)
    }

    @Test(arguments: ["x", "\n", "", "0"])
    func anyOtherDifferenceShows(_ addition: String) {
        let body = playlist(Self.own.rawValue)
        let isSame = fingerprint(body + addition).hash == fingerprint(body).hash
        #expect(isSame == addition.isEmpty)
    }

    @Test(arguments: [
        ("seg.ts?stream_id={id}", true), ("seg.ts?a=1&stream_id={id}&b=2", true), ("stream_id={id}", true),
        ("URI=\"seg.ts?stream_id={id}\",X=1", true), ("/x/stream/{id}/seg.ts", true), ("/x/stream/{id}", true),
        ("upstream_id={id}", false), ("/mystream/{id}/", false), ("stream/{id}", false), ("{id}", false),
    ])
    func anotherViewersIDIsFoundWhereIDsStand(_ template: String, _ isFound: Bool) {
        for spelling in [
            Self.other.rawValue, Self.other.percentEncoded, Self.other.rawValue.replacing(":", with: "%3a"),
        ] {
            let found = fingerprint("#EXTM3U\n" + template.replacing("{id}", with: spelling) + "\n").foreign
            #expect(found == (isFound ? Self.other.rawValue : nil))
        }
    }

    @Test func theFirstForeignIDIsReported() {
        let body = "a?stream_id=\(Self.own.rawValue)\nb?stream_id=first\nc?stream_id=second\n"
        #expect(fingerprint(body).foreign == "first")
    }

    /// A leak is one finding: the hash does not make a second one out of it.
    @Test func aForeignIDIsMaskedToo() {
        #expect(fingerprint(playlist(Self.other.rawValue)).hash == fingerprint(playlist(Self.own.rawValue)).hash)
    }

    @Test(arguments: [
        "/cdn/stream/main/seg1.ts", "/stream/8f5e2a50/seg.ts", "/stream/", "x?stream_id=", "x?stream_id=&pd=1",
        "x?stream_id={$stream_id}", "x?stream_id=[stream_id]", "/stream/1c2d3e4f_0a3c_4d8e_9a53_7b0c5d3c1a2b_DLS/x",
    ])
    func ordinaryTextIsNoLeak(_ text: String) {
        #expect(fingerprint("#EXTM3U\n\(text)\n").foreign == nil)
    }

    @Test func anIDThatOnlyBeginsLikeTheOwnIsForeign() {
        #expect(fingerprint("a?stream_id=ab2&x", StreamID("ab")).foreign == "ab2")
        #expect(fingerprint("a?stream_id=ab&x", StreamID("ab")).foreign == nil)
        #expect(fingerprint("a?stream_id=sab&x", StreamID("s")).foreign == "sab")
    }

    @Test(arguments: ["", "%", "%2", "%25", "%253", "stream_id", "stream_id=", "/stream/", "s", "8f5e"])
    func truncatedTextEnds(_ text: String) {
        #expect(fingerprint(text).foreign == nil)
        #expect(fingerprint(text, StreamID("")).foreign == nil)
        #expect(fingerprint(text, StreamID("%")).foreign == nil)
    }

    @Test func theHashIsStable() {
        #expect(fingerprint("").hash == fingerprint("", Self.other).hash)
        #expect(fingerprint("#EXTM3U\n").hash == 7_721_731_856_336_716_653)
    }

    @Test func hashesOfManyBodiesDiffer() {
        let hashes = (0..<20_000).map { fingerprint("#EXTM3U\nseg\($0).ts\n").hash }
        #expect(Set(hashes).count == 20_000)
        let lengths = (0..<200).map { fingerprint(String(repeating: "\u{0}", count: $0)).hash }
        #expect(Set(lengths).count == 200)
    }

    @Test(arguments: 1...30)
    func noiseEnds(seed: UInt64) {
        var state = seed
        let pieces = [
            "stream_id=", "/stream/", "%25", "%3A", "%", Self.own.rawValue, Self.other.rawValue, "&", "\n", "8f5e", "s",
        ]
        for _ in 0..<200 {
            var text = ""
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int((state >> 33) % UInt64(pieces.count))]
            }
            #expect(fingerprint(text).foreign != Self.own.rawValue, "seed \(seed)")
            #expect(fingerprint(text).hash == fingerprint(text).hash, "seed \(seed)")
        }
    }
}
