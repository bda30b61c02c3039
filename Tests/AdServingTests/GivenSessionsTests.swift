import AdServing
import TestSupport
import Testing

@Suite struct GivenSessionsTests {
    private static let own = "8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL"
    private static let other = "1c2d3e4f-0a3c-4d8e-9a53-7b0c5d3c1a2b:DLS"
    private static let tailored = "f3c9a1b2-7777-4d8e-9a53-7b0c5d3c1a2b"

    private func foreign(_ text: String, to viewer: Int = 1) -> [String] {
        let sessions = GivenSessions()
        sessions.add(Self.own, viewer: 1)
        sessions.add(Self.other, viewer: 2)
        sessions.add(Self.tailored, viewer: 3)
        return Array(text.utf8).withUnsafeBytes { sessions.foreign(in: $0, to: viewer) }
    }

    /// Wherever a target keeps it, in every spelling.
    @Test(arguments: [
        "seg.ts?stream_id={id}", "URI=\"seg.ts?stream_id={id}\",X=1", "/x/stream/{id}/seg.ts", "/v1/{id}", "{id}",
        "a.ts?aws.sessionId={id}&x=1", "sid={id}; Path=/; HttpOnly", #"{"url":"https:\/\/a\/{id}\/b"}"#,
        "#EXT-X-DEFINE:VALUE=\"{id}\"", "/seg/12-{id}.ts", "/{id}.m3u8", "/hdntl=exp=1~acl=/{id}*~hmac=abcdef",
        "v-{id}/1.ts",
        "?u=https%3A%2F%2Fa%2Fv1%3Fstream_id%3D{id}%26x%3D1", "?u=a%253Fsid%253D{id}%2526x",
    ])
    func anotherViewersSessionIsFound(_ template: String) {
        for id in [Self.other, Self.tailored] {
            for spelling in [id, id.replacing(":", with: "%3A"), id.replacing(":", with: "%253a")] {
                #expect(foreign("#EXTM3U\n" + template.replacing("{id}", with: spelling) + "\n") == [id], "\(spelling)")
            }
        }
    }

    /// Shape proves nothing.
    @Test(arguments: [
        "a.ts?stream_id=sports-hd", "/stream/main/1.ts", "a.ts?stream_id=00000000-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL", "",
        "a.ts?stream_id=\(own)", "/\(own)/\(own)", "x\(other)", "\(other)x", "\(other)%", "stream_id=",
    ]) func whatNobodyElseWasGivenIsNoLeak(_ text: String) { #expect(foreign(text).isEmpty) }

    @Test func eachIsSaidOnceAndAFormerSessionOfItsOwnIsNoLeak() {
        #expect(foreign("\(Self.other)/\(Self.tailored)/\(Self.other)/\(Self.own)") == [Self.other, Self.tailored])
        #expect(foreign("\(Self.other)", to: 2).isEmpty)
    }

    @Test func whatTwoWereGivenStaysTheFirstOnes() {
        let sessions = GivenSessions()
        sessions.add(Self.other, viewer: 2)
        sessions.add(Self.other, viewer: 3)
        let text = Array("a.ts?sid=\(Self.other)".utf8)
        #expect(text.withUnsafeBytes { sessions.foreign(in: $0, to: 2) }.isEmpty)
        #expect(text.withUnsafeBytes { sessions.foreign(in: $0, to: 3) } == [Self.other])
    }

    /// Base64 has marks of URLs in it: such an id is told from the text about it where it is encoded.
    @Test func anIdWithMarksInItIsFoundWhereItIsEncoded() {
        let sessions = GivenSessions()
        sessions.add("q/Zt+09xK/aaaaaaaa==", viewer: 2)
        let text = Array("a.ts?sid=q%2FZt%2B09xK%2Faaaaaaaa%3D%3D&x=1".utf8)
        #expect(text.withUnsafeBytes { sessions.foreign(in: $0, to: 1) } == ["q/Zt+09xK/aaaaaaaa=="])
    }

    @Test func aTextOfMarksAloneEnds() {
        let sessions = GivenSessions()
        sessions.add(Self.other, viewer: 2)
        let text = [UInt8](repeating: UInt8(ascii: "-"), count: 1 << 20)
        #expect(text.withUnsafeBytes { sessions.foreign(in: $0, to: 1) }.isEmpty)
    }

    @Test func aRunWithoutSessionsFindsNone() {
        let sessions = GivenSessions()
        let text = Array(Self.other.utf8)
        #expect(text.withUnsafeBytes { sessions.foreign(in: $0, to: 1) }.isEmpty)
        #expect(!text.withUnsafeBytes { sessions.areNamed(in: $0) })
        sessions.add("short", viewer: 2)
        sessions.add("https://a.example/v1/session", viewer: 2)
        #expect(!Array("short https://a.example/v1/session".utf8).withUnsafeBytes { sessions.areNamed(in: $0) })
        sessions.add(Self.other, viewer: 2)
        #expect(text.withUnsafeBytes { sessions.areNamed(in: $0) })
    }

    @Test(arguments: 1...20) func noiseEnds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["stream_id=", "/", "%25", "%3A", "%", Self.own, Self.other, "&", "\n", "8f5e", "s", "\""]
        for _ in 0..<200 {
            let text = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            #expect(!foreign(text).contains(Self.own), "seed \(seed)")
        }
    }
}
