import TestSupport
import Testing

@testable import AdServing

/// No secret survives, in any spelling; what helps to understand a request does.
@Suite struct RedactionTests {
    private let own = StreamID("0a1b2c3d-secret:TUL")

    /// Lines of the viewer whose session is `0a1b2c3d-secret:TUL`, and below them how each is shown.
    @Test(arguments: try CaseFile.all(in: "Tests/AdServingTests/Redactions"))
    func secretsAreHiddenAndEvidenceStays(_ file: CaseFile) throws {
        let lines = file.text.split(separator: "\n").map(String.init)
        let isOfURLs = file.testDescription.hasPrefix("urls")
        func shown(to own: StreamID?) -> [String] {
            lines.map { isOfURLs ? Redaction.url($0, own: own) : Redaction.text($0, own: own) }
        }
        try file.expect(shown(to: own))
        #expect(!shown(to: own).joined().uppercased().contains("SECRET"))
        #expect(shown(to: own) == lines || !file.testDescription.hasSuffix("that-stay"))
        if file.testDescription.hasSuffix("own-session") {
            #expect(!isOfURLs || !shown(to: nil).joined().contains("secret"), "a session in its place is hidden anyway")
        } else {
            #expect(shown(to: own) == shown(to: nil))
        }
    }

    @Test(arguments: ["http://h/x/0a1b2c3d-secret%3aTUL/y", "http://h/x?pd=0a1b2c3d-secret:TUL"])
    func theOwnStreamIDIsHiddenWhereNoSessionBelongs(url: String) {
        #expect(!Redaction.url(url, own: own).contains("secret"))
    }

    @Test(arguments: [
        "line one\ns.ts?token=SECRET\nline three", "\u{FEFF}s.ts?\u{301}token=SECRET", "X-FOO=\"\u{301}SECRET\"",
    ]) func invisibleCharactersUncoverNoSecret(text: String) {
        #expect(!(Redaction.text(text, own: own) + Redaction.text(text, own: nil)).contains("SECRET"))
    }

    /// Looking through megabytes for what may be a secret takes seconds, and nobody reads them.
    @Test func addressesOfMegabytesAreShownAsWhomTheyAsk() {
        let long = String(repeating: "a", count: 7_000_000)
        #expect(Redaction.url("http://user:SECRET@h:81/p/\(long)", own: own) == "http://…@h:81/…")
        #expect(Redaction.url("/p/\(long)", own: own) == "…")
        #expect(Redaction.url("\(long)//h/SECRET", own: own) == "…")
        #expect(Redaction.url("http://h/\(String(repeating: "a", count: 10_000))", own: own).utf8.count > 10_000)
    }

    @Test func aSessionWithBlanksIsHidden() {
        let wide = StreamID("part one, part two of it")
        #expect(Redaction.text("12: part one, part two of it", own: wide) == "…")
    }

    @Test func anEmptyTextStaysEmpty() {
        #expect(Redaction.url("", own: own) == "" && Redaction.text("", own: own) == "")
    }

    @Test func hiddenAttributesCanBeToldApart() {
        let known = ["ID": "b-1", "START-DATE": "2026-11-21T20:00:00Z", "X-RESUME-OFFSET": "4.5", "X-NUMBER": "12"]
        #expect(Redaction.attributes(known, own: self.own) == known)
        let one = Redaction.attributes(["X-SESSION": "SECRET1", "X-FOO": "SECRET2"], own: nil)
        let two = Redaction.attributes(["X-SESSION": "SECRET3", "X-FOO": "SECRET2"], own: nil)
        #expect(!"\(one)\(two)".contains("SECRET") && "\(one)".contains("…"))
        #expect(one["X-SESSION"] != two["X-SESSION"] && one["X-FOO"] == two["X-FOO"])
        let own = Redaction.attributes(["X-FOO": self.own.rawValue, "ID": self.own.rawValue], own: self.own)
        #expect(own == ["X-FOO": self.own.redacted, "ID": self.own.redacted])
    }

    /// Two texts that differ only in what is hidden are never told as two equal texts.
    @Test(arguments: [
        (
            #"ID="b",X-ASSET-LIST=/l?break=1&exp=1&sig=SECRET1"#, #"ID="b",X-ASSET-LIST=/l?break=1&exp=2&sig=SECRET2"#,
            #"differs in the masked exp, sig: ID="b",X-ASSET-LIST=/l?break=…&exp=…&sig=…"#
        ),
        ("a.ts?sig=SECRET", "b.ts?sig=SECRET", "b.ts?sig=…"), ("a.ts?sig=SECRET", "b.ts", "b.ts"),
        ("a.ts?sig=SECRET1", "b.ts?sig=SECRET2", "differs in the masked sig: b.ts?sig=…"),
        ("/session/SECRET1/a.ts", "/session/SECRET2/a.ts", "differs in what is masked: /session/…/a.ts"),
        ("a segment", "no segment", "no segment"),
    ]) func maskedValuesThatDifferAreNamed(expected: String, observed: String, shown: String) {
        let pair = Redaction.pair(expected: expected, observed: observed, own: nil)
        #expect(pair.expected == Redaction.text(expected, own: nil))
        #expect(pair.observed == shown)
    }

    /// A line may have megabytes; the square of that would take hours.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [",", "=", "a=", "a=b,", "#", "#a:", "\"", "/", "/a=1-", "?", "%3D", "X-A=b "]
    ) func longLinesAreReadInLinearTime(_ piece: String) {
        let text = String(repeating: piece, count: 100_000)
        #expect(Redaction.text(text, own: own).utf8.count <= text.utf8.count &* 4 &+ 16)
    }

    /// Ids and tokens in paths are told from names by how often they turn from letters to digits and to capitals.
    @Test(arguments: [
        "9tQx7Lm2Vr4Zs8Kp1Ny6Wd3", "3f9a1c7e5b2d8f4a6c0e", "dGhpc0lzQVRva2VuMTIz", "sess-9f8e7d6c5b4a3f2e1d",
        "k3j9x0q2m8z7p1w4v6", "12345678901234567890", "AKx9_bQ2-mZr7Lp0TvW3",
        "tok_AAAAAAAAAAAAAAAAAAAAAAAA", "Signature-aaaaaaaaaaaaaaaaaaaaaaa3",
    ]) func opaqueWordsOfPathsAreNotShown(word: String) {
        let shown = Redaction.url("http://h/a/\(word)/b.m3u8", own: nil)
        #expect(!shown.contains(word.prefix(8)) && !shown.contains(word.suffix(8)), "\(shown)")
        #expect(shown.hasPrefix("http://h/a/…") && shown.hasSuffix("/b.m3u8"), "\(shown)")
        let other = String(word.dropLast()) + (word.hasSuffix("3") ? "4" : "3")
        #expect(Redaction.url("http://h/a/\(other)/b.m3u8", own: nil) != shown, "two can be told apart")
        #expect(!Redaction.text("line 3: /h/\(word).ts", own: nil).contains(word))
        #expect(!Redaction.name(of: "../\(word)/1.ts", own: nil).contains(word))
    }

    @Test(arguments: [
        "x Hush/Key+5512% y", "Hush%2FKey%2B5512%25", "hush%252fkey%252B5512%2525", "http://h/Hush/Key+5512%/a",
        "#X:a=Hush/Key+5512%,b", "HUSH/KEY+5512%", "cut: Hush/Key", "cut: Hush/Ke…", "http://h/?u=murmured%20words&x",
        "murmured+words", "murmured words",
    ]) func knownSecretsAreTakenOutWhereverTheyStand(text: String) {
        let known = KnownSecrets(["Hush/Key+5512%", "murmured words", "short"])
        let shown = known.hidden(in: text)
        for secret in ["hush", "5512", "murmured"] { #expect(!shown.lowercased().contains(secret), "\(shown)") }
        #expect(shown.contains("…"))
        #expect(known.hidden(in: "short words stay") == "short words stay")
    }

    @Test func aURLOfTheEnvironmentHidesItsPathAndNotItsHost() {
        let known = KnownSecrets([
            "https://user-name:pass-word@live.example/quiet-path/v1/master-list.m3u8?key=whispered"
        ])
        let shown = known.hidden(
            in: "https://live.example/quiet-path/v1/x.ts user-name pass-word whispered master-list.m3u8"
        )
        #expect(shown == "https://live.example/…/v1/x.ts … … … …")
        #expect(KnownSecrets.inAddress("http://h/a?token=abc%20def&channel=one#x") == ["abc def"])
    }

    @Test func anOwnIDThatHoldsASecretIsNamedByItsRedactedForm() {
        let own = StreamID("prefix-network-77-suffix")
        let shown = KnownSecrets(["network-77"]).hidden(in: "/s/prefix-network-77-suffix/network-77", own: own)
        #expect(shown == "/s/\(own.redacted)/…")
    }
}
