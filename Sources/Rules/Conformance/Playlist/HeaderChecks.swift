import HLS

/// Checks tags of either kind of playlist, and EXT-X-VERSION.
struct HeaderChecks {
    private let source: VariableSource
    private var version: UInt64?
    private var isVersionUnreadable = false
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

    mutating func read(_ tag: PlaylistTag, _ reader: inout TagReader) {
        let line = reader.line
        switch tag {
        case .version:
            if let version = DecimalText.integer(reader.bytes, line.valueRange), version <= 1_000 {
                self.version = version
                if version > Self.highestVersion {
                    let expected = "EXT-X-VERSION of at most \(Self.highestVersion)"
                    let likely = "The version is that of a newer edition, or of something else."
                    reader.note(.playlistFormLoose, expected: expected, likely: likely)
                }
            } else {
                isVersionUnreadable = true
                let mistake = TypingMistake.inNumber(of: line, upTo: line.end, isWhole: true, reader.bytes)
                reader.note(.tagMalformed, expected: "EXT-X-VERSION as a small whole number", likely: mistake)
            }
        case .start: start = reader.microseconds("TIME-OFFSET").map { ($0, line) }
        case .define: define(&reader)
        default: break
        }
    }

    private mutating func needs(_ version: UInt64, _ line: TagLine, _ why: StaticString) {
        if version > need?.version ?? 1 { need = (version, line.start, why) }
    }

    /// Least versions of sound tags and their attributes (bis-22 section 8).
    mutating func needs(_ tag: PlaylistTag, _ reader: TagReader) {
        let line = reader.line
        switch tag {
        case .byteRange: needs(4, line, "EXT-X-BYTERANGE")
        case .iFramesOnly: needs(4, line, "EXT-X-I-FRAMES-ONLY")
        case .define: needs(reader.has("QUERYPARAM") ? 11 : 8, line, "EXT-X-DEFINE")
        case .skip: needs(reader.has("RECENTLY-REMOVED-DATERANGES") ? 10 : 9, line, "EXT-X-SKIP")
        case .map: mapOffset = mapOffset ?? line.start
        case .key, .sessionKey:
            if reader.has("IV") { needs(2, line, "IV") }
            if reader.has("KEYFORMAT") || reader.has("KEYFORMATVERSIONS") { needs(5, line, "KEYFORMAT") }
            if reader.is("METHOD", "SAMPLE-AES") { needs(5, line, "SAMPLE-AES") }
        case .media:
            guard let type = reader.text("TYPE"), let instream = reader.text("INSTREAM-ID") else { break }
            if type != "CLOSED-CAPTIONS", MultivariantChecks.types.contains(type) {
                needs(13, line, "INSTREAM-ID of other than closed captions")
            } else if type == "CLOSED-CAPTIONS", instream.hasPrefix("SERVICE") {
                needs(7, line, "INSTREAM-ID of a SERVICE")
            }
        default: break
        }
    }

    /// References to variables require version 8 (bis-22 section 8).
    mutating func needsVariables() { if need?.version ?? 1 < 8 { need = (8, nil, "references to variables") } }

    mutating func needsRequirements(_ reader: TagReader) {
        if need?.version ?? 1 < 12, reader.hasRequirement {
            needs(12, reader.line, "an attribute that begins with REQ-")
        }
    }

    mutating func readUnknown(_ reader: TagReader) {
        let (line, bytes) = (reader.line, reader.bytes)
        if bytes.matches("#EXT-X-ALLOW-CACHE:", at: line.start, prefixBefore: line.end) { allowCache = line }
    }

    mutating func finish(isIFramesOnly: Bool, decimals: TagLine?, _ reader: inout TagReader) {
        if let allowCache, let version, version >= 7 {
            let expected = "no EXT-X-ALLOW-CACHE from version 7 on"
            let likely = "The version was raised, and a tag of an older edition stayed."
            reader.note(.playlistFormLoose, allowCache, expected: expected, likely: likely)
        }
        if let decimals { needs(3, decimals, "an EXTINF with decimal places") }
        if let mapOffset {
            let version: UInt64 = isIFramesOnly ? 5 : 6
            if version > need?.version ?? 1 { need = (version, mapOffset, "EXT-X-MAP") }
        }
        guard !isVersionUnreadable, let need, need.version > version ?? 1 else { return }
        let expected = "EXT-X-VERSION of at least \(need.version), because of \(need.why)"
        let observed = version.map { "EXT-X-VERSION:\($0)" } ?? "no EXT-X-VERSION, which means 1"
        let likely = reader.mistake(in: .version)
        reader.note(.versionTooLow, at: need.offset, expected: expected, observed: observed, likely: likely)
    }

    /// Exactly one of NAME with VALUE, IMPORT and QUERYPARAM (bis-22 section 4.4.2.3).
    private mutating func define(_ reader: inout TagReader) {
        let name = reader.text("NAME")
        let imported = reader.text("IMPORT")
        let parameter = reader.text("QUERYPARAM")
        let ways = [name, imported, parameter].compactMap { $0 }
        if imported != nil, importLine == nil { importLine = reader.line }
        guard ways.count == 1, let defined = ways.first, name == nil || reader.has("VALUE") else {
            reader.note(.tagMalformed, expected: "one of NAME with VALUE, IMPORT, QUERYPARAM")
            return
        }
        if defined.isEmpty || !defined.utf8.allSatisfy(\.isNameByte), !defined.contains("{$") {
            reader.note(.tagMalformed, expected: "a name of letters, digits, - and _")
        }
        if !names.insert(defined).inserted {
            let likely = "Two parts of the chain write the same definition."
            reader.note(.variableUndefined, expected: "each variable defined once", likely: likely)
        }
        if let imported, let known = source.imported, known[imported] == nil {
            reader.note(.variableUndefined, expected: "a variable that the multivariant playlist defines")
        }
        if let parameter, !source.url.isEmpty, URLQuery(of: source.url).value(of: parameter) == nil {
            let likely = "The playlist was requested without the parameter, or a redirect left it out."
            let expected = "the parameter \(parameter) in the query of the playlist's URL"
            reader.note(.variableUndefined, expected: expected, likely: likely)
        }
    }
}
