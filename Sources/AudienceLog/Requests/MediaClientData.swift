/// The session of Common Media Client Data (CTA-5004): `sid`, a text in quotes.
enum MediaClientData {
    /// Finds it in a query's value, whose marks are percent-encoded, or in a header field as logs escape it.
    ///
    /// - Parameter data: The keys and values, such as `bl%3D6000%2Csid%3D%226e2f%22` or `cid="a",sid="6e2f"`.
    /// - Returns: The id as it stands there; nil where there is none.
    static func session(in data: LineBytes) -> LineBytes? {
        var place = 0
        while let start = data.place(of: "sid", from: place) {
            place = start + 3
            guard isSetOff(start, in: data), let sign = mark(UInt8(ascii: "="), in: data, at: start + 3) else {
                continue
            }
            var value = sign
            while let quote = mark(UInt8(ascii: "\""), in: data, at: value) { value = quote }
            var end = value
            while end < data.count, !isEnd(end, in: data) { end += 1 }
            guard end > value else { continue }
            return data.part(value, end)
        }
        return nil
    }

    /// Whether a key begins here: `csid` is none.
    private static func isSetOff(_ place: Int, in data: LineBytes) -> Bool {
        guard place > 0 else { return true }
        switch data[place - 1] {
        case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "+"): return true
        default:
            // A comma or a space, encoded.
            return place >= 3 && data[place - 3] == UInt8(ascii: "%")
        }
    }

    /// The place behind a mark that stands here as it is, percent-encoded once or twice, or as logs escape it.
    private static func mark(_ mark: UInt8, in data: LineBytes, at place: Int) -> Int? {
        guard place < data.count else { return nil }
        if data[place] == mark { return place + 1 }
        let isQuote = mark == UInt8(ascii: "\"")
        for spelling in isQuote ? quotes : signs where data.matches(spelling, at: place) {
            return place + spelling.utf8CodeUnitCount
        }
        return nil
    }

    private static let quotes: [StaticString] = ["%22", "%2522", "\\x22", "\\\""]
    private static let signs: [StaticString] = ["%3D", "%3d", "%253D"]

    private static func isEnd(_ place: Int, in data: LineBytes) -> Bool {
        switch data[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: " "):
            true
        default: false
        }
    }
}
