import AdServing
import Testing

/// What a date range holds of a splice, as a pod request carries it.
@Suite struct SpliceTextTests {
    @Test(arguments: [("0xFC", "/A=="), ("0XfC30aB", "/DCr"), ("0xFC302100000000000000", "/DAhAAAAAAAAAA==")])
    func hexadecimalBecomesBase64(hexadecimal: String, base64: String) {
        #expect(SpliceText.base64(hexadecimal: hexadecimal) == base64)
    }

    @Test(arguments: ["", "0x", "FC30", "0xFC3", "0xFG", "0x FC", "0x\u{FC}\u{FC}", "x0FC", "/DAl", "0x\u{0}\u{0}"])
    func whatIsNoSectionIsNone(text: String) { #expect(SpliceText.base64(hexadecimal: text) == nil) }

    @Test func noSectionIsLongerThanItsLengthCanSay() {
        #expect(SpliceText.base64(hexadecimal: "0x" + String(repeating: "FC", count: 4_096)) != nil)
        #expect(SpliceText.base64(hexadecimal: "0x" + String(repeating: "FC", count: 4_097)) == nil)
    }
}
