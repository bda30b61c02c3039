import HLS

/// Checks tags of either kind of playlist, tags that may stand once, and EXT-X-VERSION.
struct HeaderChecks {
    private let source: VariableSource
    private var version: UInt64?
    private var isVersionUnreadable = false
    private var seen: UInt64 = 0
    private var misspelt: UInt64 = 0
    private var names: Set<String> = []
    private var need: (version: UInt64, offset: Int?, why: StaticString)?
    /// EXT-X-MAP, whose version depends on later tags.
    private var mapOffset: Int?
    private(set) var start: (microseconds: Int64, line: TagLine)?
    /// Multivariant playlists may not have IMPORT (bis-22 section 4.4.2.3).
    private(set) var importLine: TagLine?
    /// EXT-X-ALLOW-CACHE left the protocol with version 7.
    private var allowCache: TagLine?
    /// bis-22 section 8.
    private static let highestVersion: UInt64 = 13

    init(_ source: VariableSource) { self.source = source }

    /// Tags that may stand once: bis-22 sections 4.4.1 to 4.4.3.
    mutating func once(_ tag: PlaylistTag, _ line: TagLine, _ list: inout ViolationList) {
        switch tag {
        case .extm3u, .version, .independentSegments, .start, .targetDuration, .mediaSequence, .discontinuitySequence,
            .endList, .playlistType, .iFramesOnly, .partInf, .serverControl, .skip, .contentSteering:
            if hasSeen(tag) { list.note(.tagRepeated, line, expected: "\(tag.fullName) once") }
            seen |= 1 << UInt64(tag.rawValue)
        default: break
        }
    }

    func hasSeen(_ tag: PlaylistTag) -> Bool { seen & (1 << UInt64(tag.rawValue)) != 0 }

    mutating func noteMisspelt(_ tag: PlaylistTag) { misspelt |= 1 << UInt64(tag.rawValue) }

    func mistake(in tag: PlaylistTag) -> String? {
        misspelt & (1 << UInt64(tag.rawValue)) == 0 ? nil : "\(tag.fullName) is there, but misspelt."
    }

    mutating func read(_ tag: PlaylistTag, _ line: TagLine, _ reader: TagReader, _ list: inout ViolationList) {
        switch tag {
        case .version:
            if let version = DecimalText.integer(list.bytes, line.valueRange), version <= 1_000 {
                self.version = version
                if version > Self.highestVersion {
                    let expected = "EXT-X-VERSION of at most \(Self.highestVersion)"
                    let likely = "The version is that of a newer edition, or of something else."
                    list.note(.playlistFormLoose, line, expected: expected, likely: likely)
                }
            } else {
                isVersionUnreadable = true
                let mistake = TypingMistake.inNumber(of: line, upTo: line.end, isWhole: true, list.bytes)
                list.note(.tagMalformed, line, expected: "EXT-X-VERSION as a small whole number", likely: mistake)
            }
        case .start: start = reader.microseconds("TIME-OFFSET").map { ($0, line) }
        case .define: define(reader, line, &list)
        default: break
        }
    }

    mutating func needs(_ version: UInt64, _ line: TagLine, _ why: StaticString) {
        if version > need?.version ?? 1 { need = (version, line.start, why) }
    }

    /// References to variables require version 8 (bis-22 section 8).
    mutating func needsVariables() { if need?.version ?? 1 < 8 { need = (8, nil, "references to variables") } }

    mutating func needsMap(_ line: TagLine) { if mapOffset == nil { mapOffset = line.start } }

    mutating func needsRequirements(_ reader: TagReader, _ line: TagLine) {
        if need?.version ?? 1 < 12, reader.hasRequirement { needs(12, line, "an attribute that begins with REQ-") }
    }

    mutating func needs(keyIn reader: TagReader, _ line: TagLine) {
        if reader.has("IV") { needs(2, line, "IV") }
        if reader.has("KEYFORMAT") || reader.has("KEYFORMATVERSIONS") { needs(5, line, "KEYFORMAT") }
        if reader.is("METHOD", "SAMPLE-AES") { needs(5, line, "SAMPLE-AES") }
    }

    mutating func readUnknown(_ line: TagLine, _ bytes: UnsafeRawBufferPointer) {
        if bytes.matches("#EXT-X-ALLOW-CACHE:", at: line.start, prefixBefore: line.end) { allowCache = line }
    }

    /// Characters of a variable's name: bis-22 section 4.4.2.3.
    private static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isNameByte) }

    mutating func finish(isIFramesOnly: Bool, _ list: inout ViolationList) {
        if let allowCache, let version, version >= 7 {
            let expected = "no EXT-X-ALLOW-CACHE from version 7 on"
            let likely = "The version was raised, and a tag of an older edition stayed."
            list.note(.playlistFormLoose, allowCache, expected: expected, likely: likely)
        }
        if let mapOffset {
            let version: UInt64 = isIFramesOnly ? 5 : 6
            if version > need?.version ?? 1 { need = (version, mapOffset, "EXT-X-MAP") }
        }
        guard !isVersionUnreadable, let need, need.version > version ?? 1 else { return }
        let expected = "EXT-X-VERSION of at least \(need.version), because of \(need.why)"
        let observed = version.map { "EXT-X-VERSION:\($0)" } ?? "no EXT-X-VERSION, which means 1"
        let likely = mistake(in: .version)
        list.note(.versionTooLow, at: need.offset, expected: expected, observed: observed, likely: likely)
    }

    /// Exactly one of NAME with VALUE, IMPORT and QUERYPARAM.
    private mutating func define(_ reader: TagReader, _ line: TagLine, _ list: inout ViolationList) {
        needs(reader.has("QUERYPARAM") ? 11 : 8, line, "EXT-X-DEFINE")
        let name = reader.text("NAME")
        let imported = reader.text("IMPORT")
        let parameter = reader.text("QUERYPARAM")
        let ways = [name, imported, parameter].compactMap { $0 }
        if imported != nil, importLine == nil { importLine = line }
        guard ways.count == 1, let defined = ways.first, name == nil || reader.has("VALUE") else {
            list.note(.tagMalformed, line, expected: "one of NAME with VALUE, IMPORT, QUERYPARAM")
            return
        }
        if !Self.isName(defined), !defined.contains("{$") {
            list.note(.tagMalformed, line, expected: "a name of letters, digits, - and _")
        }
        if !names.insert(defined).inserted {
            let likely = "Two parts of the chain write the same definition."
            list.note(.variableUndefined, line, expected: "each variable defined once", likely: likely)
        }
        if let imported, let known = source.imported, known[imported] == nil {
            list.note(.variableUndefined, line, expected: "a variable that the multivariant playlist defines")
        }
        if let parameter, !source.url.isEmpty, URLQuery(of: source.url).value(of: parameter) == nil {
            let likely = "The playlist was requested without the parameter, or a redirect left it out."
            let expected = "the parameter \(parameter) in the query of the playlist's URL"
            list.note(.variableUndefined, line, expected: expected, likely: likely)
        }
    }
}
