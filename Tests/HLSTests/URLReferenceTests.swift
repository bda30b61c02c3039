import TestSupport
import Testing

@testable import HLS

@Suite struct URLReferenceTests {
    /// RFC 3986 section 5.4, all of it.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ]) func resolvesTheExamplesOfTheStandard(_ reference: String, _ expected: String) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }

    @Test(arguments: [
        ("seg.ts", "https://cdn.example:8443/live/media.m3u8?stream_id=a%3Ab", "https://cdn.example:8443/live/seg.ts"),
        ("seg.ts", "https://cdn.example", "https://cdn.example/seg.ts"),
        ("?x=1", "https://cdn.example", "https://cdn.example?x=1"),
        ("seg.ts", "https://cdn.example?x=1", "https://cdn.example/seg.ts"), ("a:b.ts", "https://h/x", "a:b.ts"),
        ("./a:b.ts", "https://h/x", "https://h/a:b.ts"), ("1:b.ts", "https://h/x", "https://h/1:b.ts"),
        ("my seg.ts?n=é", "https://h/x", "https://h/my%20seg.ts?n=%C3%A9"),
        ("HTTPS://Other/x", "https://h/x", "HTTPS://Other/x"), ("http://other/a/../b", "https://h/x", "http://other/b"),
        ("//[::1]:80/a", "https://h/x", "https://[::1]:80/a"), ("x//y/../z", "http://a/b", "http://a/x//z"),
    ]) func resolvesWhatPlaylistsHold(_ reference: String, _ base: String, _ expected: String) {
        #expect(URLReference.resolve(reference, against: base) == expected)
    }

    @Test(arguments: ["", "/a/b", "file:///a/b", "ftp://a/b", "http:", "http://", "http:///a", "nonsense", "://a"])
    func aBaseMustBeAWebURL(_ base: String) { #expect(URLReference.resolve("g", against: base) == nil) }

    @Test(arguments: 1...20) func anyTextEndsWithoutATrap(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = Array("/.?#:%ahtps@[]\u{0}é")
        for _ in 0..<500 {
            let count = Int.random(in: 0...20, using: &generator)
            let text = String((0..<count).map { _ in letters[Int(generator.next() % UInt64(letters.count))] })
            let resolved = URLReference.resolve(text, against: "http://a/b/c")
            #expect(resolved != nil, "seed \(seed)")
            #expect(resolved?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } == true, "seed \(seed)")
            _ = URLReference.resolve("g", against: text)
        }
    }
}
