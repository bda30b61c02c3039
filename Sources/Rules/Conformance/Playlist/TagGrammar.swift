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
    private static let yesOrNo = AttributeForm.oneOf(["YES", "NO"])
    private static let key = [
        AttributeRule("METHOD", .word), .init("URI", .quoted), .init("IV", .hexadecimal), .init("KEYFORMAT", .quoted),
        .init("KEYFORMATVERSIONS", .quoted),
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
    private static let ofTags: [PlaylistTag: [AttributeRule]] = [
        .start: [.init("TIME-OFFSET", .signedDecimal, isRequired: true), .init("PRECISE", yesOrNo)],
        .define: [
            .init("NAME", .quoted), .init("VALUE", .quoted), .init("IMPORT", .quoted), .init("QUERYPARAM", .quoted),
        ],
        .map: [.init("URI", .address, isRequired: true), .init("BYTERANGE", .byteRange)],
        .part: [
            .init("URI", .address, isRequired: true), .init("DURATION", .decimal, isRequired: true),
            .init("INDEPENDENT", yesOrNo), .init("GAP", yesOrNo), .init("BYTERANGE", .byteRange),
        ],
        .partInf: [.init("PART-TARGET", .decimal, isRequired: true)],
        .serverControl: [
            .init("HOLD-BACK", .decimal), .init("PART-HOLD-BACK", .decimal), .init("CAN-SKIP-UNTIL", .decimal),
            .init("CAN-BLOCK-RELOAD", yesOrNo), .init("CAN-SKIP-DATERANGES", yesOrNo),
        ],
        .skip: [
            .init("SKIPPED-SEGMENTS", .integer, isRequired: true), .init("RECENTLY-REMOVED-DATERANGES", .quoted),
        ],
        .preloadHint: [
            .init("TYPE", .word, isRequired: true), .init("URI", .address, isRequired: true),
            .init("BYTERANGE-START", .integer), .init("BYTERANGE-LENGTH", .integer),
        ],
        .renditionReport: [
            .init("URI", .quoted, isRequired: true), .init("LAST-MSN", .integer), .init("LAST-PART", .integer),
        ],
        .key: key,
        .sessionKey: key,
        .dateRange: [
            .init("ID", .quoted, isRequired: true), .init("CLASS", .quoted), .init("START-DATE", .date),
            .init("END-DATE", .date), .init("DURATION", .decimal), .init("PLANNED-DURATION", .decimal),
            .init("CUE", .quoted), .init("END-ON-NEXT", .word),
        ],
        .media: [
            .init("TYPE", .word, isRequired: true), .init("GROUP-ID", .quoted, isRequired: true),
            .init("NAME", .quoted, isRequired: true), .init("URI", .quoted), .init("LANGUAGE", .quoted),
            .init("DEFAULT", yesOrNo), .init("AUTOSELECT", yesOrNo), .init("FORCED", yesOrNo),
            .init("INSTREAM-ID", .quoted), .init("CHARACTERISTICS", .quoted), .init("CHANNELS", .quoted),
            .init("ASSOC-LANGUAGE", .quoted), .init("BIT-DEPTH", .integer), .init("SAMPLE-RATE", .integer),
            .init("STABLE-RENDITION-ID", .stableID),
        ],
        .streamInf: variant,
        .iFrameStreamInf: variant + [.init("URI", .address, isRequired: true)],
        .sessionData: [
            .init("DATA-ID", .quoted, isRequired: true), .init("VALUE", .quoted), .init("URI", .quoted),
            .init("LANGUAGE", .quoted),
        ],
        .contentSteering: [.init("SERVER-URI", .quoted, isRequired: true), .init("PATHWAY-ID", .quoted)],
    ]
    /// Indexed by the tag's raw value, as each tag of a playlist asks for its rules.
    private static let byTag = (0...PlaylistTag.unknown.rawValue).map {
        PlaylistTag(rawValue: $0).flatMap { ofTags[$0] } ?? []
    }

    /// Empty for a tag without an attribute list.
    static func rules(of tag: PlaylistTag) -> [AttributeRule] { byTag[Int(tag.rawValue)] }
}
