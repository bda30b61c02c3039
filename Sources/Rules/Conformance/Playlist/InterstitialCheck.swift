import HLS

/// Rules for the attributes of an interstitial, and of its preload range (bis-22 appendices D.2, D.3 and F).
enum InterstitialCheck {
    /// Kinds of addresses in the tags of one ID together.
    struct Assets {
        private var uris = false
        private var lists = false

        mutating func read(_ reader: TagReader) {
            uris = uris || reader["X-ASSET-URI"].map { !$0.isEmpty } ?? false
            lists = lists || reader["X-ASSET-LIST"].map { !$0.isEmpty } ?? false
        }

        var problem: String? {
            uris == lists ? "exactly one of X-ASSET-URI and X-ASSET-LIST" : nil
        }
    }

    private static let quoted: [StaticString] = [
        "X-ASSET-URI", "X-ASSET-LIST", "X-SNAP", "X-RESTRICT", "X-CONTENT-MAY-VARY", "X-TIMELINE-OCCUPIES",
        "X-TIMELINE-STYLE", "X-SKIP-CONTROL-LABEL-ID",
    ]
    private static let numbers: [StaticString] = ["X-RESUME-OFFSET", "X-PLAYOUT-LIMIT"]
    private static let integers: [StaticString] = ["X-SKIP-CONTROL-OFFSET", "X-SKIP-CONTROL-DURATION"]
    private static let words: [(name: StaticString, allowed: [Substring], isList: Bool)] = [
        ("X-SNAP", ["OUT", "IN"], true),
        ("X-RESTRICT", ["SKIP", "JUMP"], true),
        ("X-CONTENT-MAY-VARY", ["YES", "NO"], false),
        ("X-TIMELINE-OCCUPIES", ["POINT", "RANGE"], false),
        ("X-TIMELINE-STYLE", ["HIGHLIGHT", "PRIMARY"], false),
    ]

    static func check(_ reader: TagReader, _ line: TagLine, _ list: inout ViolationList) {
        if let problem = problem(reader) { list.note(.interstitialInvalid, line, expected: problem) }
    }

    private static func problem(_ reader: TagReader) -> String? {
        for name in quoted {
            if let attribute = reader.attribute(name), !attribute.isQuoted { return "\(name) as a quoted string" }
        }
        for name in numbers {
            guard let attribute = reader.attribute(name), !reader.isReference(attribute.value) else { continue }
            if attribute.isQuoted || reader.microseconds(name) == nil { return "\(name) as a number" }
        }
        if (reader.microseconds("X-PLAYOUT-LIMIT") ?? 0) < 0 { return "X-PLAYOUT-LIMIT of at least 0" }
        for name in integers {
            guard let attribute = reader.attribute(name), !reader.isReference(attribute.value) else { continue }
            if attribute.isQuoted || reader.integer(name) == nil { return "\(name) as a whole number" }
        }
        for (name, allowed, isList) in words {
            guard let value = reader[name], !reader.isReference(value) else { continue }
            let text = reader.text(value)
            let found = isList ? text.split(separator: ",", omittingEmptySubsequences: false) : [text[...]]
            if !found.allSatisfy(allowed.contains) { return "\(name) of \(allowed.joined(separator: ", "))" }
        }
        if let uri = reader.text("X-ASSET-URI"), !uri.contains(":"), !uri.contains("{$") {
            return "X-ASSET-URI as an absolute URI"
        }
        if let label = reader.text("X-SKIP-CONTROL-LABEL-ID"), !label.contains("{$"),
            !SkipControl.isLabelID(label)
        {
            return "X-SKIP-CONTROL-LABEL-ID of letters, - and _"
        }
        return nil
    }

    static func checkPreload(_ reader: TagReader, _ line: TagLine, _ list: inout ViolationList) {
        let required: [StaticString] = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"]
        for name in required {
            if let attribute = reader.attribute(name), attribute.isQuoted, !attribute.value.isEmpty { continue }
            list.note(.interstitialInvalid, line, expected: "\(name) in a preload range")
            return
        }
        if !reader.has("DURATION"), !reader.has("END-DATE") {
            list.note(.interstitialInvalid, line, expected: "DURATION or END-DATE in a preload range")
        } else if reader.has("CUE") || reader.has("END-ON-NEXT") {
            list.note(.interstitialInvalid, line, expected: "neither CUE nor END-ON-NEXT in a preload range")
        }
    }
}
