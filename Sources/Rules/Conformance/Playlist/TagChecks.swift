import HLS

/// Rules for EXT-X-KEY and EXT-X-SESSION-KEY (bis-22 sections 4.4.4.4 and 4.4.6.5).
enum KeyCheck {
    /// Returns false after reporting a problem.
    static func check(_ reader: TagReader, _ line: TagLine, isSession: Bool, _ list: inout ViolationList) -> Bool {
        guard let problem = problem(reader, isSession: isSession) else { return true }
        list.note(.encryptionInvalid, line, expected: problem)
        return false
    }

    /// Methods whose IV is part of the media.
    private static let withoutVector: [StaticString] = ["SAMPLE-AES-CTR", "AES-256-GCM"]

    private static func problem(_ reader: TagReader, isSession: Bool) -> String? {
        guard let method = reader["METHOD"] else { return "METHOD" }
        if reader.isReference(method) { return nil }
        if reader.is("METHOD", "NONE") {
            if isSession { return "a METHOD other than NONE in a session key" }
            let hasMore = reader.has("URI") || reader.has("IV") || reader.has("KEYFORMAT")
            return hasMore || reader.has("KEYFORMATVERSIONS") ? "no other attribute beside METHOD=NONE" : nil
        }
        guard
            reader.is("METHOD", "AES-128") || reader.is("METHOD", "SAMPLE-AES")
                || reader.is("METHOD", "SAMPLE-AES-CTR") || reader.is("METHOD", "AES-256-GCM")
        else { return "METHOD=NONE, AES-128, SAMPLE-AES, SAMPLE-AES-CTR or AES-256-GCM" }
        for method in withoutVector where reader.is("METHOD", method) && reader.has("IV") {
            return "no IV beside METHOD=\(method)"
        }
        guard let uri = reader["URI"], !uri.isEmpty else { return "URI, unless METHOD is NONE" }
        if let vector = reader["IV"], !reader.isReference(vector), vector.count > 34 {
            return "IV of 128 bits: at most 32 digits after 0x"
        }
        if let versions = reader["KEYFORMATVERSIONS"], !reader.isReference(versions) {
            let numbers = reader.text(versions).split(separator: "/", omittingEmptySubsequences: false)
            if numbers.contains(where: { Int($0).map { $0 < 1 } ?? true }) {
                return "KEYFORMATVERSIONS as positive whole numbers with / between"
            }
        }
        return nil
    }
}

/// Rules between the attributes of one EXT-X-MEDIA (bis-22 sections 4.4.6.1 and 4.4.6.2.1).
enum RenditionTagCheck {
    static func problem(_ reader: TagReader, type: String) -> String? {
        if type == "CLOSED-CAPTIONS" {
            guard !reader.has("URI"), let instream = reader["INSTREAM-ID"] else {
                return "INSTREAM-ID and no URI for closed captions"
            }
            guard reader.isReference(instream) || isCaptionChannel(reader.text(instream)) else {
                return "INSTREAM-ID of CC1 to CC4 or SERVICE1 to SERVICE63 for closed captions"
            }
        }
        if type == "SUBTITLES", !reader.has("URI") { return "URI for subtitles" }
        if type != "AUDIO", let name = audioOnly.first(where: reader.has) { return "\(name) for audio only" }
        if type != "SUBTITLES", reader.has("FORCED") { return "FORCED for subtitles only" }
        if reader.is("DEFAULT", "YES"), reader.is("AUTOSELECT", "NO") { return "AUTOSELECT=YES beside DEFAULT=YES" }
        return nil
    }

    private static let audioOnly: [StaticString] = ["CHANNELS", "BIT-DEPTH", "SAMPLE-RATE"]

    private static func isCaptionChannel(_ text: String) -> Bool {
        if ["CC1", "CC2", "CC3", "CC4"].contains(text) { return true }
        guard text.hasPrefix("SERVICE"), let number = Int(text.dropFirst(7)) else { return false }
        return (1...63).contains(number)
    }
}

/// Rules for the attributes of an interstitial, and of its preload range (bis-22 appendices D.2, D.3 and F).
enum InterstitialCheck {
    /// Kinds of addresses in the tags of one ID together.
    struct Assets {
        private var uri: Range<Int>?
        private var list: Range<Int>?

        mutating func read(_ reader: TagReader) {
            uri = uri ?? reader["X-ASSET-URI"].flatMap { $0.isEmpty ? nil : $0 }
            list = list ?? reader["X-ASSET-LIST"].flatMap { $0.isEmpty ? nil : $0 }
        }

        var hasAny: Bool { uri != nil || list != nil }

        /// The address, unless there are two.
        var only: Range<Int>? { uri == nil ? list : list == nil ? uri : nil }

        var problem: String? {
            only == nil ? "exactly one of X-ASSET-URI and X-ASSET-LIST" : nil
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
        let problem = misformed(reader) ?? problem(reader).map { ($0, nil) }
        if let problem { list.note(.interstitialInvalid, line, expected: problem.expected, likely: problem.likely) }
    }

    /// An attribute that is not of its form, and the likeliest typing mistake in it.
    private static func misformed(_ reader: TagReader) -> (expected: String, likely: String?)? {
        for (names, form) in [(quoted, AttributeForm.quoted), (numbers, .signedDecimal), (integers, .integer)] {
            for name in names {
                guard let attribute = reader.attribute(name), !reader.isOf(form, attribute) else { continue }
                let text = reader.text(attribute.value)
                let mistake = TypingMistake.inValue(text, isQuoted: attribute.isQuoted, form)
                return ("\(name) as \(form.name)", mistake)
            }
        }
        for (name, allowed, _) in words {
            guard let text = reader.text(name), !text.contains("{$"), text != text.uppercased() else { continue }
            guard text.uppercased().split(separator: ",").allSatisfy(allowed.contains) else { continue }
            return ("\(name) of \(allowed.joined(separator: ", "))", TypingMistake.lowerCase)
        }
        return nil
    }

    private static func problem(_ reader: TagReader) -> String? {
        if (reader.microseconds("X-PLAYOUT-LIMIT") ?? 0) < 0 { return "X-PLAYOUT-LIMIT of at least 0" }
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
