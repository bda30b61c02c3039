import HLS

/// Syntax of an attribute's value (bis-22 section 4.2).
enum AttributeForm {
    case quoted, integer, decimal, signedDecimal, hexadecimal, resolution, date, byteRange
    /// A quoted string that is not empty.
    case address
    /// KEYFORMAT:CPC/CPC, separated by commas.
    case protections
    /// A quoted id of letters, digits and + / = . - _.
    case stableID
    /// An enumerated string: not in quotation marks.
    case word
    /// An enumerated string with a closed set of values.
    case oneOf([StaticString])
    case any

    var name: String {
        switch self {
        case .quoted: "a quoted string"
        case .integer: "a whole number"
        case .decimal: "a number of at least 0"
        case .signedDecimal: "a number"
        case .hexadecimal: "hexadecimal digits after 0x"
        case .resolution: "width x height"
        case .date: "a quoted ISO 8601 date and time"
        case .byteRange: "a quoted n or n@o"
        case .address: "a quoted string that is not empty"
        case .protections: "quoted KEYFORMAT:LABEL/LABEL entries, separated by commas"
        case .stableID: "a quoted id of letters, digits and + / = . - _"
        case .oneOf(let words): words.map(\.description).joined(separator: " or ")
        case .word: "a word without quotation marks"
        case .any: "a value"
        }
    }
}

struct AttributeRule: Sendable {
    let name: StaticString
    let form: AttributeForm
    let isRequired: Bool

    init(_ name: StaticString, _ form: AttributeForm, isRequired: Bool = false) {
        self.name = name
        self.form = form
        self.isRequired = isRequired
    }
}

/// The attributes of the tags that have any (bis-22 section 4.4).
enum TagGrammar {
    static let none: [AttributeRule] = []
    private static let yesOrNo = AttributeForm.oneOf(["YES", "NO"])
    static let start = [AttributeRule("TIME-OFFSET", .signedDecimal, isRequired: true), .init("PRECISE", yesOrNo)]
    static let define = [
        AttributeRule("NAME", .quoted), .init("VALUE", .quoted), .init("IMPORT", .quoted),
        .init("QUERYPARAM", .quoted),
    ]
    static let map = [AttributeRule("URI", .address, isRequired: true), .init("BYTERANGE", .byteRange)]
    static let part = [
        AttributeRule("URI", .address, isRequired: true), .init("DURATION", .decimal, isRequired: true),
        .init("INDEPENDENT", yesOrNo), .init("GAP", yesOrNo), .init("BYTERANGE", .byteRange),
    ]
    static let partInf = [AttributeRule("PART-TARGET", .decimal, isRequired: true)]
    static let serverControl = [
        AttributeRule("HOLD-BACK", .decimal), .init("PART-HOLD-BACK", .decimal), .init("CAN-SKIP-UNTIL", .decimal),
        .init("CAN-BLOCK-RELOAD", yesOrNo), .init("CAN-SKIP-DATERANGES", yesOrNo),
    ]
    static let skip = [
        AttributeRule("SKIPPED-SEGMENTS", .integer, isRequired: true), .init("RECENTLY-REMOVED-DATERANGES", .quoted),
    ]
    static let preloadHint = [
        AttributeRule("TYPE", .word, isRequired: true),
        .init("URI", .address, isRequired: true),
        .init("BYTERANGE-START", .integer), .init("BYTERANGE-LENGTH", .integer),
    ]
    static let renditionReport = [
        AttributeRule("URI", .quoted, isRequired: true), .init("LAST-MSN", .integer), .init("LAST-PART", .integer),
    ]
    static let key = [
        AttributeRule("METHOD", .word), .init("URI", .quoted), .init("IV", .hexadecimal), .init("KEYFORMAT", .quoted),
        .init("KEYFORMATVERSIONS", .quoted),
    ]
    static let dateRange = [
        AttributeRule("ID", .quoted, isRequired: true), .init("CLASS", .quoted), .init("START-DATE", .date),
        .init("END-DATE", .date), .init("DURATION", .decimal), .init("PLANNED-DURATION", .decimal),
        .init("CUE", .quoted), .init("END-ON-NEXT", .word),
    ]
    static let media = [
        AttributeRule("TYPE", .word, isRequired: true), .init("GROUP-ID", .quoted, isRequired: true),
        .init("NAME", .quoted, isRequired: true), .init("URI", .quoted), .init("LANGUAGE", .quoted),
        .init("DEFAULT", yesOrNo), .init("AUTOSELECT", yesOrNo), .init("FORCED", yesOrNo),
        .init("INSTREAM-ID", .quoted), .init("CHARACTERISTICS", .quoted), .init("CHANNELS", .quoted),
        .init("ASSOC-LANGUAGE", .quoted), .init("BIT-DEPTH", .integer), .init("SAMPLE-RATE", .integer),
        .init("STABLE-RENDITION-ID", .stableID),
    ]
    private static let variant = [
        AttributeRule("BANDWIDTH", .integer, isRequired: true), .init("AVERAGE-BANDWIDTH", .integer),
        .init("CODECS", .quoted), .init("RESOLUTION", .resolution), .init("FRAME-RATE", .decimal),
        .init("HDCP-LEVEL", .oneOf(["TYPE-0", "TYPE-1", "NONE"])),
        .init("VIDEO-RANGE", .oneOf(["SDR", "HLG", "PQ"])), .init("AUDIO", .quoted), .init("VIDEO", .quoted),
        .init("SUBTITLES", .quoted), .init("CLOSED-CAPTIONS", .any), .init("PATHWAY-ID", .quoted),
        .init("SCORE", .decimal), .init("STABLE-VARIANT-ID", .stableID), .init("ALLOWED-CPC", .protections),
        .init("REQ-VIDEO-LAYOUT", .address),
    ]
    static let streamInf = variant
    static let iFrameStreamInf = variant + [AttributeRule("URI", .address, isRequired: true)]
    static let sessionData = [
        AttributeRule("DATA-ID", .quoted, isRequired: true), .init("VALUE", .quoted), .init("URI", .quoted),
        .init("LANGUAGE", .quoted),
    ]
    static let contentSteering = [
        AttributeRule("SERVER-URI", .quoted, isRequired: true), .init("PATHWAY-ID", .quoted),
    ]

    /// Empty for a tag without an attribute list.
    static func rules(of tag: PlaylistTag) -> [AttributeRule] {
        switch tag {
        case .start: start
        case .define: define
        case .map: map
        case .part: part
        case .partInf: partInf
        case .serverControl: serverControl
        case .skip: skip
        case .preloadHint: preloadHint
        case .renditionReport: renditionReport
        case .key, .sessionKey: key
        case .dateRange: dateRange
        case .media: media
        case .streamInf: streamInf
        case .iFrameStreamInf: iFrameStreamInf
        case .sessionData: sessionData
        case .contentSteering: contentSteering
        default: none
        }
    }
}
