import HLS

/// Reads a tag's attribute list, and keeps what is found in all lines; reused so that a line costs no allocation.
struct TagReader {
    private static let limit = 64

    let bytes: UnsafeRawBufferPointer
    /// The present one, a tag or a URI.
    var line: TagLine
    /// References to variables may stand for any value.
    private let hasReferences: Bool
    private(set) var attributes: [AttributeList.Attribute] = []
    /// Deviation from the specified form that players accept.
    private(set) var loose: (expected: String, likely: String)?
    /// Nil unless the last list has a problem.
    private(set) var mistake: String?
    /// Offsets of lines; nil if no single line shows the violation.
    var entries: [(offset: Int?, violation: Violation)] = []
    /// Bits of tags.
    var seen: UInt64 = 0
    var misspelt: UInt64 = 0

    init(_ bytes: UnsafeRawBufferPointer, at line: TagLine, hasReferences: Bool) {
        (self.bytes, self.line, self.hasReferences) = (bytes, line, hasReferences)
    }

    /// Returns the first problem of the list, in words.
    mutating func read(_ rules: [AttributeRule]) -> String? {
        attributes.removeAll(keepingCapacity: true)
        (loose, mistake) = (nil, nil)
        var list = AttributeList(bytes, line.valueRange)
        var problem: String?
        while attributes.count < Self.limit, let attribute = list.next() {
            if problem == nil { problem = self.problem(of: attribute, rules) }
            if loose == nil { loose = looseness(of: attribute) }
            attributes.append(attribute)
        }
        if list.isMalformed {
            mistake = TypingMistake.inList(of: line, bytes)
            return "NAME=value, separated by commas, and quoted strings closed"
        }
        if list.isLoose {
            loose = (
                "attributes with one comma between them and no white space",
                "A template with a comma too many, or with spaces beside its commas."
            )
        }
        if let problem { return problem }
        for rule in rules where rule.isRequired && self[rule.name] == nil {
            mistake = misspelling(of: rule.name) ?? "The attribute was left out."
            return "\(rule.name), which this tag requires"
        }
        return nil
    }

    /// Without quotation marks.
    subscript(name: StaticString) -> Range<Int>? { attribute(name)?.value }

    func attribute(_ name: StaticString) -> AttributeList.Attribute? {
        for attribute in attributes where isNamed(attribute, name) { return attribute }
        return nil
    }

    func has(_ name: StaticString) -> Bool { attribute(name) != nil }

    /// Finds an attribute whose name differs in its case or by underscores.
    func misspelling(of name: StaticString) -> String? {
        let isThere = attributes.contains { Self.specified($0.name, self) == name.description }
        return isThere ? "\(name) is there, but misspelt." : nil
    }

    private static func specified(_ name: Range<Int>, _ reader: TagReader) -> String {
        reader.text(name.prefix(48)).uppercased().replacing("_", with: "-")
    }

    func isNamed(_ attribute: AttributeList.Attribute, _ name: StaticString) -> Bool {
        attribute.name.count == name.utf8CodeUnitCount
            && bytes.matches(name, at: attribute.name.lowerBound, end: attribute.name.upperBound)
    }

    func `is`(_ name: StaticString, _ value: StaticString) -> Bool {
        self[name].map { bytes.matches(value, at: $0.lowerBound, end: $0.upperBound) } ?? false
    }

    func microseconds(_ name: StaticString) -> Int64? {
        self[name].flatMap { DecimalText.signedMicroseconds(bytes, $0) }
    }

    func integer(_ name: StaticString) -> UInt64? { self[name].flatMap { DecimalText.integer(bytes, $0) } }

    func date(_ name: StaticString) -> WallTime? {
        self[name].flatMap { WallTime.parse(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    }

    func text(_ name: StaticString) -> String? { self[name].map(text) }

    func text(_ range: Range<Int>) -> String { bytes.text(range) }

    func isReference(_ range: Range<Int>) -> Bool {
        guard hasReferences else { return false }
        return range.dropLast().contains { bytes[$0] == UInt8(ascii: "{") && bytes[$0 + 1] == UInt8(ascii: "$") }
    }

    var hasRequirement: Bool {
        attributes.contains { bytes.matches("REQ-", at: $0.name.lowerBound, prefixBefore: $0.name.upperBound) }
    }

    /// Characters of names and hexadecimal digits: bis-22 section 4.2.
    private func looseness(of attribute: AttributeList.Attribute) -> (expected: String, likely: String)? {
        for index in attribute.name {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            default:
                let name = Self.specified(attribute.name, self)
                return (
                    "attribute names of A to Z, 0 to 9 and -, such as \(name)",
                    "The name is written with small letters, underscores or marks, as in other formats."
                )
            }
        }
        let value = attribute.value
        guard !attribute.isQuoted, value.count > 2, bytes[value.lowerBound] == UInt8(ascii: "0"),
            bytes[value.lowerBound + 1] | 0x20 == UInt8(ascii: "x"),
            bytes[value].contains(where: { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) })
        else { return nil }
        return ("hexadecimal digits of 0 to 9 and A to F", "The packager prints hexadecimal digits in lower case.")
    }

    private mutating func problem(of attribute: AttributeList.Attribute, _ rules: [AttributeRule]) -> String? {
        let name = bytes[attribute.name]
        for other in attributes where other.name.count == name.count && bytes[other.name].elementsEqual(name) {
            return "each attribute once"
        }
        guard let index = rules.firstIndex(where: { isNamed(attribute, $0.name) }) else { return nil }
        let rule = rules[index]
        guard !isOf(rule.form, attribute) else { return nil }
        mistake = TypingMistake.inValue(text(attribute.value), isQuoted: attribute.isQuoted, rule.form)
        return "\(rule.name)=\(mistake == TypingMistake.tooLarge ? rule.form.limit : rule.form.name)"
    }

    func isOf(_ form: AttributeForm, _ attribute: AttributeList.Attribute) -> Bool {
        let value = attribute.value
        if isReference(value) { return true }
        let isMarked = form.isQuoted.map { $0 == attribute.isQuoted } ?? (attribute.isQuoted || !value.isEmpty)
        return isMarked && form.accepts(bytes, value)
    }
}

/// Syntax of an attribute's value (bis-22 section 4.2).
final class AttributeForm: Sendable {
    let name: String
    /// Nil where both forms are allowed.
    let isQuoted: Bool?
    /// The only values, if there are such.
    let words: [StaticString]
    let accepts: @Sendable (UnsafeRawBufferPointer, Range<Int>) -> Bool

    private init(
        _ name: String,
        isQuoted: Bool? = false,
        words: [StaticString] = [],
        accepts: @escaping @Sendable (UnsafeRawBufferPointer, Range<Int>) -> Bool
    ) {
        (self.name, self.isQuoted, self.words, self.accepts) = (name, isQuoted, words, accepts)
    }

    static let any = AttributeForm("a value", isQuoted: nil) { _, _ in true }
    static let word = AttributeForm("a word without quotation marks") { !$1.isEmpty }
    static let quoted = AttributeForm("a quoted string", isQuoted: true) { _, _ in true }
    static let address = AttributeForm("a quoted string that is not empty", isQuoted: true) { !$1.isEmpty }
    static let integer = AttributeForm("a whole number") { DecimalText.integer($0, $1) != nil }
    static let decimal = AttributeForm("a number of at least 0") { DecimalText.microseconds($0, $1) != nil }
    static let signedDecimal = AttributeForm("a number") { DecimalText.signedMicroseconds($0, $1) != nil }
    static let byteRange = AttributeForm("a quoted n or n@o", isQuoted: true) { DecimalText.byteRange($0, $1) != nil }
    static let date = AttributeForm("a quoted ISO 8601 date and time", isQuoted: true) { bytes, range in
        WallTime.parse(UnsafeRawBufferPointer(rebasing: bytes[range])) != nil
    }
    static let hexadecimal = AttributeForm("hexadecimal digits after 0x") { bytes, range in
        range.count > 2 && bytes[range.lowerBound] == UInt8(ascii: "0")
            && bytes[range.lowerBound + 1] | 0x20 == UInt8(ascii: "x")
            && range.dropFirst(2).allSatisfy { bytes[$0].hexDigitValue != nil }
    }
    static let resolution = AttributeForm("width x height") { bytes, range in
        guard let cross = range.first(where: { bytes[$0] == UInt8(ascii: "x") }) else { return false }
        return DecimalText.integer(bytes, range.lowerBound..<cross) != nil
            && DecimalText.integer(bytes, (cross + 1)..<range.upperBound) != nil
    }
    /// bis-22 sections 4.4.6.1 and 4.4.6.2.
    static let stableID = AttributeForm("a quoted id of letters, digits and + / = . - _", isQuoted: true) {
        bytes,
        range in
        !range.isEmpty && bytes[range].allSatisfy { $0.isAlphanumeric || "+/=.-_".utf8.contains($0) }
    }
    /// The part after an entry's last colon may be empty (bis-22 section 4.4.6.2).
    static let protections = AttributeForm(
        "quoted KEYFORMAT:LABEL/LABEL entries, separated by commas",
        isQuoted: true
    ) { bytes, range in
        bytes.text(range).split(separator: ",", omittingEmptySubsequences: false).allSatisfy { entry in
            entry.lastIndex(of: ":").map { $0 > entry.startIndex } ?? false
        }
    }

    static func oneOf(_ words: StaticString...) -> AttributeForm {
        AttributeForm(words.map(\.description).joined(separator: " or "), words: words) { bytes, range in
            words.contains { bytes.matches($0, at: range.lowerBound, end: range.upperBound) }
        }
    }

    fileprivate var limit: String {
        self === AttributeForm.integer
            ? "a whole number of at most \(UInt64.max)" : "a number of at most 31557600000"
    }
}

struct AttributeRule: Sendable {
    let name: StaticString
    let form: AttributeForm
    let isRequired: Bool
}

/// Attributes of tags: bis-22 section 4.4.
enum TagGrammar {
    private static func required(_ form: AttributeForm, _ names: StaticString...) -> [AttributeRule] {
        names.map { AttributeRule(name: $0, form: form, isRequired: true) }
    }

    private static func may(_ form: AttributeForm, _ names: StaticString...) -> [AttributeRule] {
        names.map { AttributeRule(name: $0, form: form, isRequired: false) }
    }

    private static let yesOrNo = AttributeForm.oneOf("YES", "NO")
    private static let key = [
        may(.word, "METHOD"), may(.quoted, "URI", "KEYFORMAT", "KEYFORMATVERSIONS"), may(.hexadecimal, "IV"),
    ]
    private static let variant = [
        required(.integer, "BANDWIDTH"), may(.integer, "AVERAGE-BANDWIDTH"),
        may(.quoted, "CODECS", "AUDIO", "VIDEO", "SUBTITLES", "PATHWAY-ID"), may(.resolution, "RESOLUTION"),
        may(.decimal, "FRAME-RATE", "SCORE"), may(.oneOf("TYPE-0", "TYPE-1", "NONE"), "HDCP-LEVEL"),
        may(.oneOf("SDR", "HLG", "PQ"), "VIDEO-RANGE"), may(.any, "CLOSED-CAPTIONS"),
        may(.stableID, "STABLE-VARIANT-ID"), may(.protections, "ALLOWED-CPC"), may(.address, "REQ-VIDEO-LAYOUT"),
    ]
    private static let ofTags: [PlaylistTag: [[AttributeRule]]] = [
        .start: [required(.signedDecimal, "TIME-OFFSET"), may(yesOrNo, "PRECISE")],
        .define: [may(.quoted, "NAME", "VALUE", "IMPORT", "QUERYPARAM")],
        .map: [required(.address, "URI"), may(.byteRange, "BYTERANGE")],
        .part: [
            required(.address, "URI"), required(.decimal, "DURATION"), may(yesOrNo, "INDEPENDENT", "GAP"),
            may(.byteRange, "BYTERANGE"),
        ],
        .partInf: [required(.decimal, "PART-TARGET")],
        .serverControl: [
            may(.decimal, "HOLD-BACK", "PART-HOLD-BACK", "CAN-SKIP-UNTIL"),
            may(yesOrNo, "CAN-BLOCK-RELOAD", "CAN-SKIP-DATERANGES"),
        ],
        .skip: [required(.integer, "SKIPPED-SEGMENTS"), may(.quoted, "RECENTLY-REMOVED-DATERANGES")],
        .preloadHint: [
            required(.word, "TYPE"), required(.address, "URI"), may(.integer, "BYTERANGE-START", "BYTERANGE-LENGTH"),
        ],
        .renditionReport: [required(.quoted, "URI"), may(.integer, "LAST-MSN", "LAST-PART")],
        .key: key,
        .sessionKey: key,
        .dateRange: [
            required(.quoted, "ID"), may(.quoted, "CLASS", "CUE"), may(.date, "START-DATE", "END-DATE"),
            may(.decimal, "DURATION", "PLANNED-DURATION"), may(.word, "END-ON-NEXT"),
        ],
        .media: [
            required(.word, "TYPE"), required(.quoted, "GROUP-ID", "NAME"), may(.quoted, "URI", "LANGUAGE"),
            may(yesOrNo, "DEFAULT", "AUTOSELECT", "FORCED"),
            may(.quoted, "INSTREAM-ID", "CHARACTERISTICS", "CHANNELS", "ASSOC-LANGUAGE"),
            may(.integer, "BIT-DEPTH", "SAMPLE-RATE"), may(.stableID, "STABLE-RENDITION-ID"),
        ],
        .streamInf: variant,
        .iFrameStreamInf: variant + [required(.address, "URI")],
        .sessionData: [required(.quoted, "DATA-ID"), may(.quoted, "VALUE", "URI", "LANGUAGE")],
        .contentSteering: [required(.quoted, "SERVER-URI"), may(.quoted, "PATHWAY-ID")],
    ]
    /// Indexed by raw value, as each tag of a playlist asks for its rules.
    private static let byTag = PlaylistTag.allCases.map { ofTags[$0]?.flatMap(\.self) ?? [] }

    static func rules(of tag: PlaylistTag) -> [AttributeRule] { byTag[Int(tag.rawValue)] }
}
