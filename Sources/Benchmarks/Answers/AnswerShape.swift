/// Answer that is slow to parse.
struct AnswerShape: Sendable {
    let name: String
    private let head: String
    private let unit: @Sendable (Int) -> String
    private let tail: String
    private let most: Int

    private init(
        _ name: String,
        _ head: String,
        _ tail: String,
        most: Int = .max,
        unit: @escaping @Sendable (Int) -> String
    ) {
        self.name = name
        self.head = head
        self.tail = tail
        self.most = most
        self.unit = unit
    }

    func text(bytes: Int) -> [UInt8] {
        var text = Array(head.utf8)
        text.reserveCapacity(bytes)
        var count = 0
        while count < most {
            let next = unit(count)
            guard text.count + next.utf8.count + tail.utf8.count <= bytes else { break }
            text += next.utf8
            count += 1
        }
        return text + tail.utf8
    }

    private static let types = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]

    /// Shapes with a number stay within the limits, so that all of their values are parsed.
    static let all = [
        AnswerShape("one text", "{\"a\":\"", "\"}") { _ in "a" },
        AnswerShape("one text of escapes", "{\"a\":\"", "\"}") { _ in "\\u0041" },
        AnswerShape("one text of emoji", "{\"a\":\"", "\"}") { _ in "\u{1F600}" },
        AnswerShape("one text of marks", "{\"a\":\"", "\"}") { _ in "a\u{301}\u{316}" },
        AnswerShape("one text of marks without end", "{\"a\":\"a", "\"}") { _ in "\u{301}\u{316}" },
        AnswerShape("one name of escapes", "{\"", "\":1}") { _ in "\\u0041" },
        AnswerShape("white space", "{", "}") { _ in " " },
        AnswerShape("one number", "{\"a\":1", "}") { _ in "7" },
        AnswerShape("no end of arrays", "{\"a\":", "") { _ in "[" },
        AnswerShape("no end of objects", "", "") { _ in "{\"a\":" },
        AnswerShape("arrays", "{\"a\":[", "0]}") { _ in "[]," },
        AnswerShape("objects", "{\"a\":[", "0]}") { _ in "{}," },
        AnswerShape("numbers", "{\"a\":[", "0]}") { _ in "0," },
        AnswerShape("members", "{", "\"b\":0}") { _ in "\"a\":0," },
        AnswerShape("124,000 arrays", "{\"a\":[", "0]}", most: 124_000) { _ in "[]," },
        AnswerShape("124,000 objects with a member", "{\"a\":[", "0]}", most: 124_000) { "{\"\($0)\":0}," },
        AnswerShape("980 arrays of depth 126", "{\"a\":[", "0]}", most: 980) { _ in
            String(repeating: "[", count: 126) + String(repeating: "]", count: 126) + ","
        },
        AnswerShape("249,000 numbers of 60 digits", "{\"a\":[", "0]}", most: 249_000) { index in
            "1.\(String(repeating: "7", count: 50))e-\(index % 400),"
        },
        AnswerShape("249,000 texts of 60 bytes", "{\"a\":[", "0]}", most: 249_000) { _ in
            "\"\(String(repeating: "a", count: 60))\","
        },
        AnswerShape("249,000 members of a session", "{", "\"b\":0}", most: 249_000) { _ in "\"stream-id\":0," },
        AnswerShape("20,000 tags", "{\"ads\":{\"a\":{\"ad_break_id\":\"b\"}},\"tags\":{", "\"x\":{}}}", most: 20_000) {
            tag in "\"google_\(tag)\":{\"ad\":\"a\",\"ad_break_id\":\"b\",\"type\":\"\(types[tag % 5])\"},"
        },
        AnswerShape("60,000 tags in the wrong order", "{\"tags\":{", "\"x\":{}}}", most: 60_000) { tag in
            "\"google_\(999_999 - tag)\":{\"ad\":\"a\(tag)\",\"type\":\"start\"},"
        },
        AnswerShape("80,000 ads", "{\"ads\":{", "\"x\":{}}}", most: 80_000) { "\"\($0)\":{\"ad_break_id\":\"b\"}," },
        AnswerShape(
            "30,000 ads with a beacon",
            "{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":9}],\"TRACKING\":{\"avails\":[{\"ads\":[",
            "{}]}]}}",
            most: 30_000
        ) { _ in
            "{\"trackingEvents\":[{\"eventType\":\"start\",\"beaconUrls\":[\"u\"]}]},"
        },
        AnswerShape("249,000 pathways", "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[", "\"a\"]}", most: 249_000) {
            "\"\($0)\","
        },
    ]
}
