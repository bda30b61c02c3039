import HLS

/// EXT-X-KEY and EXT-X-SESSION-KEY: bis-22 sections 4.4.4.4 and 4.4.6.5.
enum KeyCheck {
    /// Returns false after reporting a problem.
    static func check(isSession: Bool, _ reader: inout TagReader) -> Bool {
        guard let problem = problem(reader, isSession: isSession) else { return true }
        reader.note(.encryptionInvalid, expected: problem.expected, likely: problem.likely)
        return false
    }

    /// Methods whose IV is part of the media.
    private static let withoutVector: [StaticString] = ["SAMPLE-AES-CTR", "AES-256-GCM"]

    private static let methods = ["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR", "AES-256-GCM"]

    private static func problem(_ reader: TagReader, isSession: Bool) -> (expected: String, likely: String?)? {
        guard let method = reader["METHOD"] else { return ("METHOD", nil) }
        if reader.isReference(method) { return nil }
        if reader.is("METHOD", "NONE") {
            if isSession { return ("a METHOD other than NONE in a session key", nil) }
            let hasMore = reader.has("URI") || reader.has("IV") || reader.has("KEYFORMAT")
            guard hasMore || reader.has("KEYFORMATVERSIONS") else { return nil }
            let likely = "The clear ads of a break carry METHOD=NONE with the attributes of the content's key."
            return ("no other attribute beside METHOD=NONE", likely)
        }
        let name = reader.text(method.prefix(48))
        guard methods.contains(name) else {
            let isCase = methods.contains(name.uppercased())
            let expected = "METHOD=NONE, AES-128, SAMPLE-AES, SAMPLE-AES-CTR or AES-256-GCM"
            return (expected, isCase ? TypingMistake.lowerCase : "The METHOD is that of a vendor or of another format.")
        }
        for method in withoutVector where reader.is("METHOD", method) && reader.has("IV") {
            return ("no IV beside METHOD=\(method)", "The METHOD was changed, and the IV of the one before stayed.")
        }
        guard let uri = reader["URI"], !uri.isEmpty else {
            return ("URI, unless METHOD is NONE", "Key rotation wrote a key without its URI.")
        }
        if let vector = reader["IV"], !reader.isReference(vector), vector.count > 34 {
            return ("IV of 128 bits: at most 32 digits after 0x", "The initialisation vector is longer than 128 bits.")
        }
        if let versions = reader["KEYFORMATVERSIONS"], !reader.isReference(versions) {
            let numbers = reader.text(versions).split(separator: "/", omittingEmptySubsequences: false)
            if numbers.contains(where: { Int($0).map { $0 < 1 } ?? true }) {
                return ("KEYFORMATVERSIONS as positive whole numbers with / between", nil)
            }
        }
        return nil
    }
}

/// EXT-X-MEDIA: bis-22 sections 4.4.6.1 and 4.4.6.2.1.
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

/// Interstitials and preload ranges: bis-22 appendices D.2, D.3 and F.
enum InterstitialCheck {
    struct Assets {
        private var uri: Range<Int>?
        private var list: Range<Int>?
        private var misspelt: String?

        mutating func read(_ reader: TagReader) {
            uri = uri ?? reader["X-ASSET-URI"].flatMap { $0.isEmpty ? nil : $0 }
            list = list ?? reader["X-ASSET-LIST"].flatMap { $0.isEmpty ? nil : $0 }
        }

        private static let names = NearMiss(["X-ASSET-LIST", "X-ASSET-URI"])

        mutating func noteMisspelt(_ reader: TagReader) {
            guard !hasAny, misspelt == nil else { return }
            misspelt = reader.attributes.lazy.compactMap { Self.names.name(meantBy: reader.text($0.name)) }.first
        }

        var hasAny: Bool { uri != nil || list != nil }

        var only: Range<Int>? { uri == nil ? list : list == nil ? uri : nil }

        var problem: (expected: String, likely: String)? {
            guard only == nil else { return nil }
            let likely =
                hasAny
                ? "The manifest manipulator fills both addresses."
                : misspelt.map { "\($0) is there, but misspelt." } ?? "The manifest manipulator fills neither address."
            return ("exactly one of X-ASSET-URI and X-ASSET-LIST", likely)
        }
    }

    private static let quoted: [StaticString] = [
        "X-ASSET-URI", "X-ASSET-LIST", "X-SNAP", "X-RESTRICT", "X-CONTENT-MAY-VARY", "X-TIMELINE-OCCUPIES",
        "X-TIMELINE-STYLE", "X-SKIP-CONTROL-LABEL-ID",
    ]
    static let numbers: [StaticString] = ["X-RESUME-OFFSET", "X-PLAYOUT-LIMIT"]
    private static let integers: [StaticString] = ["X-SKIP-CONTROL-OFFSET", "X-SKIP-CONTROL-DURATION"]
    private static let words: [(name: StaticString, allowed: [Substring], isList: Bool)] = [
        ("X-SNAP", ["OUT", "IN"], true),
        ("X-RESTRICT", ["SKIP", "JUMP"], true),
        ("X-CONTENT-MAY-VARY", ["YES", "NO"], false),
        ("X-TIMELINE-OCCUPIES", ["POINT", "RANGE"], false),
        ("X-TIMELINE-STYLE", ["HIGHLIGHT", "PRIMARY"], false),
    ]

    static func check(_ reader: inout TagReader) {
        let problem = misformed(reader) ?? problem(reader)
        if let problem { reader.note(.interstitialInvalid, expected: problem.expected, likely: problem.likely) }
    }

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

    private static func problem(_ reader: TagReader) -> (expected: String, likely: String?)? {
        if (reader.microseconds("X-PLAYOUT-LIMIT") ?? 0) < 0 {
            return ("X-PLAYOUT-LIMIT of at least 0", TypingMistake.negative)
        }
        for (name, allowed, isList) in words {
            guard let value = reader[name], !reader.isReference(value) else { continue }
            let text = reader.text(value)
            let found = isList ? text.split(separator: ",", omittingEmptySubsequences: false) : [text[...]]
            guard found.allSatisfy(allowed.contains) else {
                let likely = text.contains(" ") ? TypingMistake.spaced : nil
                return ("\(name) of \(allowed.joined(separator: ", "))", likely)
            }
        }
        if let uri = reader.text("X-ASSET-URI"), !URLReference.isAbsolute(uri), !uri.contains("{$") {
            let likely = uri.hasPrefix(" ") ? TypingMistake.spaced : "The address is written relative to the playlist."
            return ("X-ASSET-URI as an absolute URI", likely)
        }
        if let label = reader.text("X-SKIP-CONTROL-LABEL-ID"), !label.contains("{$"),
            !SkipControl.isLabelID(label)
        {
            return ("X-SKIP-CONTROL-LABEL-ID of letters, - and _", "The label's text stands in place of its id.")
        }
        return nil
    }

    private static let copied = "The preload range was written like an interstitial, which has other attributes."

    static func checkPreload(_ reader: inout TagReader) {
        let required: [StaticString] = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"]
        for name in required {
            if let attribute = reader.attribute(name), attribute.isQuoted, !attribute.value.isEmpty { continue }
            reader.note(.interstitialInvalid, expected: "\(name) in a preload range", likely: Self.copied)
            return
        }
        let isEndless = !reader.has("DURATION") && !reader.has("END-DATE")
        guard isEndless || reader.has("CUE") || reader.has("END-ON-NEXT") else { return }
        let words = isEndless ? "DURATION or END-DATE" : "neither CUE nor END-ON-NEXT"
        reader.note(.interstitialInvalid, expected: "\(words) in a preload range", likely: Self.copied)
    }
}
