/// Tags of either kind of playlist (RFC 8216 sections 4.3.1 and 4.3.5).
package struct PlaylistHead: Hashable, Sendable {
    package var version: Int?
    package var isIndependentSegments = false
    package var startPoint: StartPoint?
    package var definitions: [VariableDefinition] = []
}

struct PlaylistHeader {
    private(set) var head = PlaylistHead()
    /// Only media playlists may have IMPORT.
    private(set) var importOffset: Int?
    /// Unknown tags before the first tag that identifies the kind.
    private(set) var otherLines: [Range<Int>] = []
    private var seen: UInt64 = 0

    mutating func read(_ tag: PlaylistTag, _ line: TagLine, _ lines: PlaylistLines) throws(PlaylistError) {
        switch tag {
        case .version:
            try once(tag, line, lines)
            guard let version = DecimalText.integer(lines.bytes, line.valueRange), version <= 1_000 else {
                throw lines.error(.badTag, at: line.start, "EXT-X-VERSION must be a small whole number")
            }
            head.version = Int(version)
        case .independentSegments: head.isIndependentSegments = true
        case .start: head.startPoint = try start(line, lines)
        case .define:
            let definition = try Self.definition(line, lines)
            head.definitions.append(definition)
            if case .imported = definition, importOffset == nil { importOffset = line.start }
        case .extm3u: break
        default: otherLines.append(line.range)
        }
    }

    mutating func once(_ tag: PlaylistTag, _ line: TagLine, _ lines: PlaylistLines) throws(PlaylistError) {
        let bit: UInt64 = 1 << UInt64(tag.rawValue)
        guard seen & bit == 0 else {
            throw lines.error(.duplicateTag, at: line.start, "\(tag.fullName) may stand once")
        }
        seen |= bit
    }

    func hasSeen(_ tag: PlaylistTag) -> Bool { seen & (1 << UInt64(tag.rawValue)) != 0 }

    private func start(_ line: TagLine, _ lines: PlaylistLines) throws(PlaylistError) -> StartPoint {
        var list = AttributeList(lines.bytes, line.valueRange)
        var offset: Int64?
        var isPrecise = false
        while let attribute = list.next() {
            let value = attribute.value
            if list.isNamed(attribute, "TIME-OFFSET") { offset = DecimalText.signedMicroseconds(lines.bytes, value) }
            if list.isNamed(attribute, "PRECISE") { isPrecise = list.isYes(attribute) }
        }
        guard let offset, !list.isMalformed else {
            throw lines.error(.badTag, at: line.start, "EXT-X-START needs TIME-OFFSET, a number of seconds")
        }
        return StartPoint(offsetMicroseconds: offset, isPrecise: isPrecise)
    }

    /// One of NAME with VALUE, IMPORT and QUERYPARAM (bis-22 section 4.4.2.3).
    static func definition(_ line: TagLine, _ lines: PlaylistLines) throws(PlaylistError) -> VariableDefinition {
        var list = AttributeList(lines.bytes, line.valueRange)
        var found: [VariableDefinition] = []
        var name: String?
        var value: String?
        while let attribute = list.next() {
            let text = list.bytes.text(attribute.value)
            if list.isNamed(attribute, "NAME") { name = text }
            if list.isNamed(attribute, "VALUE") { value = text }
            if list.isNamed(attribute, "IMPORT") { found.append(.imported(name: text)) }
            if list.isNamed(attribute, "QUERYPARAM") { found.append(.queryParameter(name: text)) }
        }
        if let name, let value { found.append(.value(name: name, value: value)) }
        guard let definition = found.first, found.count == 1, name == nil || value != nil, !list.isMalformed else {
            throw lines.error(.badTag, at: line.start, "EXT-X-DEFINE needs one of NAME with VALUE, IMPORT, QUERYPARAM")
        }
        return definition
    }
}
