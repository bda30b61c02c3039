/// Session of Common Media Client Data (CTA-5004): `sid`, a quoted string.
enum MediaClientData {
    private static let signs: [StaticString] = ["=", "%3D", "%3d", "%253D"]
    private static let quotes: [StaticString] = ["\"", "%22", "%2522", "\\x22", "\\\""]

    /// Id as it is spelled in a percent-encoded value of a query, or in a header field as logs escape it.
    ///
    /// Example: `bl%3D6000%2Csid%3D%226e2f%22` or `cid="a",sid="6e2f"`.
    static func session(in data: LineBytes) -> LineBytes? {
        var place = 0
        while let start = data.place(of: "sid", from: place) {
            place = start + 3
            guard beginsKey(start, in: data), var value = end(of: signs, at: place, in: data) else { continue }
            while let quote = end(of: quotes, at: value, in: data) { value = quote }
            let end = (value..<data.count).first { "\"\\,%& ".utf8.contains(data[$0]) } ?? data.count
            if end > value { return data.part(value, end) }
        }
        return nil
    }

    /// Whether a key begins here: at the start or after a mark, possibly an encoded one; rules out `csid`.
    private static func beginsKey(_ place: Int, in data: LineBytes) -> Bool {
        place == 0 || ", \"+".utf8.contains(data[place - 1]) || place >= 3 && data[place - 3] == UInt8(ascii: "%")
    }

    private static func end(of marks: [StaticString], at place: Int, in data: LineBytes) -> Int? {
        marks.first { data.matches($0, at: place) }.map { place + $0.utf8CodeUnitCount }
    }
}
