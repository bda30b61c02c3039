import AdServing
import Testing

@Suite struct StreamIDTests {
    private let id = StreamID("8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL")

    @Test func noTextOfItShowsMoreThanFourCharacters() {
        let texts = [id.redacted, "\(id)", String(describing: id), String(reflecting: id), "\(Optional(id) as Any)"]
        for text in texts {
            #expect(text.contains("8f5e…"))
            for words in ["2a50", "TUL"] { #expect(!text.contains(words)) }
        }
    }

    @Test func redactedTextTellsSessionsApartAndStaysTheSame() {
        #expect(id.redacted == StreamID(id.rawValue).redacted)
        let others = (0..<1_000).map { StreamID("8f5e2a50-0a3c-\($0):TUL").redacted }
        #expect(Set(others).count == 1_000)
        #expect(others.allSatisfy { $0.count == 13 })
    }

    @Test func shortIDsAreNotShownWhole() {
        #expect(!StreamID("abcd").redacted.hasPrefix("abcd"))
        #expect(!StreamID("ab").redacted.hasPrefix("ab"))
        #expect(StreamID("").redacted.hasPrefix("…"))
    }

    @Test func theColonIsEncoded() { #expect(StreamID("ab:TUL").percentEncoded == "ab%3ATUL") }
}
