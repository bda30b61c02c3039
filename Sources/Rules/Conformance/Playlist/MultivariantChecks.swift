import HLS

/// Checks variants and their groups of renditions (bis-22 section 4.4.6).
struct MultivariantChecks {
    private struct Variant {
        let line: TagLine
        var groups: [(type: String, id: String)] = []
        var hasNoCaptions = false
    }

    private struct Group {
        let line: TagLine
        var names: Set<String> = []
        /// Shared attributes of corresponding members, by NAME.
        var members: [String: String] = [:]
        var hasDefault = false
    }

    private var pending: TagLine?
    private var skipsURI = false
    /// Also counts unreadable tags.
    private var hasStreams = false
    /// DATA-ID with LANGUAGE.
    private var sessionData: Set<[String]> = []
    private var sessionKeys: Set<[String]> = []
    private var steered: TagLine?
    private var steeredPathway: String?
    /// SERVER-URI of the type `data:`.
    private var inlineSteering: String?
    private var pathways: Set<String> = []
    private var scored = 0
    private var unscored: TagLine?
    /// One report covers all renditions.
    private var isChannelsTold = false
    private var variants: [Variant] = []
    private var groups: [String: [String: Group]] = [:]

    private var unread: [(type: String?, id: String?)] = []
    static let types = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]

    mutating func read(_ tag: PlaylistTag, _ reader: inout TagReader) {
        switch tag {
        case .streamInf:
            if let pending { reader.note(.tagMisplaced, pending, expected: "a URI line after EXT-X-STREAM-INF") }
            pending = reader.line
            hasStreams = true
            readVariant(&reader)
        case .media: readRendition(&reader)
        case .sessionData:
            if reader.has("VALUE") == reader.has("URI") {
                reader.note(.tagMalformed, expected: "one of VALUE and URI in EXT-X-SESSION-DATA")
            }
            guard let id = reader.text("DATA-ID"), !id.contains("{$") else { break }
            if !sessionData.insert([id, reader.text("LANGUAGE") ?? ""]).inserted {
                reader.note(.tagRepeated, expected: "EXT-X-SESSION-DATA once for each DATA-ID and LANGUAGE")
            }
        case .iFrameStreamInf: noteFrames()
        case .contentSteering:
            steered = reader.line
            steeredPathway = reader.text("PATHWAY-ID")
            inlineSteering = reader.text("SERVER-URI").flatMap { DataURI.isOne($0) ? $0 : nil }
        default: break
        }
    }

    mutating func skipURI() {
        pending = nil
        skipsURI = true
        hasStreams = true
    }

    mutating func noteFrames() { hasStreams = true }

    /// Session keys must differ (bis-22 section 4.4.6.5).
    mutating func readKey(_ reader: inout TagReader) {
        let names: [StaticString] = ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"]
        guard !sessionKeys.insert(names.map { reader.text($0) ?? "" }).inserted else { return }
        reader.note(.tagRepeated, expected: "each EXT-X-SESSION-KEY once")
    }

    /// Keeps its group from being reported as missing.
    mutating func noteUnread(_ reader: TagReader) { unread.append((reader.text("TYPE"), reader.text("GROUP-ID"))) }

    private func isUnread(_ type: String, _ id: String?) -> Bool {
        unread.contains { ($0.type ?? type) == type && (id == nil || ($0.id ?? id) == id) }
    }

    mutating func readURI(_ reader: inout TagReader) {
        if pending == nil, !skipsURI {
            let expected = "EXT-X-STREAM-INF before a variant's URI"
            reader.note(.tagMissing, expected: expected, likely: reader.mistake(in: .streamInf))
        }
        pending = nil
        skipsURI = false
    }

    func finish(_ reader: inout TagReader) {
        if let pending { reader.note(.tagMisplaced, pending, expected: "a URI line after EXT-X-STREAM-INF") }
        if !hasStreams {
            let observed = "a multivariant playlist without any variant"
            reader.note(.variantIncomplete, at: nil, expected: "EXT-X-STREAM-INF", observed: observed)
        }
        for variant in variants where reader.hasRoom(for: .renditionGroupInvalid) {
            for (type, id) in variant.groups where groups[type]?[id] == nil && !isUnread(type, id) {
                let expected = "EXT-X-MEDIA of TYPE=\(type) and GROUP-ID=\"\(id.prefix(64))\""
                reader.note(.renditionGroupInvalid, variant.line, expected: expected)
            }
        }
        let without = variants.count { $0.hasNoCaptions }
        if without > 0, without < variants.count, let odd = variants.first(where: { !$0.hasNoCaptions }) {
            reader.note(.renditionGroupInvalid, odd.line, expected: "CLOSED-CAPTIONS=NONE in all variants or in none")
        }
        if scored > 0, let unscored {
            reader.note(.variantIncomplete, unscored, expected: "SCORE, as other variants have it")
        }
        if let steered, let steeredPathway, !steeredPathway.contains("{$"), !pathways.contains(steeredPathway) {
            let likely = "The pathway is spelt in another way than in the variants, or left out there."
            reader.note(.tagMalformed, steered, expected: "PATHWAY-ID of a variant", likely: likely)
        }
        checkSteering(&reader)
        for type in Self.types { checkMembers(type, &reader) }
    }

    private func checkSteering(_ reader: inout TagReader) {
        guard let steered, let inlineSteering, !inlineSteering.contains("{$") else { return }
        let isResolved = !pathways.contains { $0.contains("{$") }
        let found = SteeringChecks.violations(inDataURI: inlineSteering, pathways: isResolved ? pathways.sorted() : [])
        for violation in found { reader.note(violation, steered) }
    }

    private mutating func readVariant(_ reader: inout TagReader) {
        var variant = Variant(line: reader.line)
        let types: [StaticString] = ["AUDIO", "VIDEO", "SUBTITLES"]
        variant.groups = types.compactMap { type in reader.text(type).map { (type.description, $0) } }
        if let captions = reader.attribute("CLOSED-CAPTIONS") {
            if captions.isQuoted {
                variant.groups.append(("CLOSED-CAPTIONS", reader.text(captions.value)))
            } else if reader.is("CLOSED-CAPTIONS", "NONE") {
                variant.hasNoCaptions = true
            } else {
                reader.note(.tagMalformed, expected: "CLOSED-CAPTIONS as a quoted group or NONE")
            }
        }
        if variant.groups.contains(where: { $0.id.contains("{$") }) { variant.groups = [] }
        variants.append(variant)
        // Default of bis-22 section 4.4.6.2.
        pathways.insert(reader.text("PATHWAY-ID") ?? ".")
        if reader.has("SCORE") { scored += 1 } else if unscored == nil { unscored = reader.line }
        let missing = missing(reader)
        if !missing.isEmpty { reader.note(.variantIncomplete, expected: missing.joined(separator: ", ")) }
    }

    private func missing(_ reader: TagReader) -> [String] {
        var missing: [String] = []
        let peak = reader.integer("BANDWIDTH") ?? 0
        let average = reader.integer("AVERAGE-BANDWIDTH")
        // Meaningless values, although no text forbids them by a MUST.
        if peak == 0 { missing.append("BANDWIDTH above 0") }
        if average == nil { missing.append("AVERAGE-BANDWIDTH") }
        if let average, average > peak, peak > 0 { missing.append("AVERAGE-BANDWIDTH of at most BANDWIDTH") }
        guard let codecs = reader.text("CODECS") else { return missing + ["CODECS"] }
        let isVideo = codecs.split(separator: ",").contains { codec in
            ["avc", "hvc", "hev", "dvh", "dva", "av01", "vp0", "mp4v"].contains { codec.contains($0) }
        }
        if isVideo, !reader.has("RESOLUTION") { missing.append("RESOLUTION") }
        if isVideo, !reader.has("FRAME-RATE") { missing.append("FRAME-RATE") }
        return missing
    }

    private mutating func readRendition(_ reader: inout TagReader) {
        guard let type = reader.text("TYPE"), Self.types.contains(type) else {
            // Clients ignore a tag with an unknown value (bis-22 section 6.3.1).
            let expected = "TYPE=AUDIO, VIDEO, SUBTITLES or CLOSED-CAPTIONS; clients ignore the tag"
            let likely = TypingMistake.inType(reader.text("TYPE"), of: Self.types)
            return reader.note(.playlistFormLoose, expected: expected, likely: likely)
        }
        if let problem = RenditionTagCheck.problem(reader, type: type) {
            reader.note(.renditionGroupInvalid, expected: problem)
        }
        if type == "AUDIO", !reader.has("CHANNELS"), !isChannelsTold {
            isChannelsTold = true
            reader.note(.variantIncomplete, expected: "CHANNELS in EXT-X-MEDIA of audio")
        }
        guard let id = reader.text("GROUP-ID"), let name = reader.text("NAME") else { return }
        var group = groups[type]?[id] ?? Group(line: reader.line)
        groups[type]?[id] = nil
        // The specification's own example of content steering has groups that differ in the case of a NAME.
        if !group.names.insert(name.lowercased()).inserted {
            reader.note(.renditionGroupInvalid, expected: "another NAME than the rest of the group has")
        }
        group.members[name.lowercased()] = Self.common(reader)
        if reader.is("DEFAULT", "YES") {
            if group.hasDefault {
                reader.note(.renditionGroupInvalid, expected: "one DEFAULT=YES in a group")
                group.members[name.lowercased()] = nil
            }
            group.hasDefault = true
        }
        groups[type, default: [:]][id] = group
    }

    /// Groups of one type have the same members (bis-22 section 4.4.6.1.1).
    private func checkMembers(_ type: String, _ reader: inout TagReader) {
        let sorted = (groups[type] ?? [:]).values.sorted { $0.line.start < $1.line.start }
        guard let first = sorted.first else { return }
        for group in sorted.dropFirst() where group.names != first.names {
            let names = first.names.sorted().prefix(8).map { $0.prefix(32) }.joined(separator: ", ")
            let expected = "the members of the first group of its type: \(names)"
            reader.note(.renditionGroupInvalid, group.line, expected: expected)
        }
        for group in sorted.dropFirst() {
            let isOdd = { (name: String) in group.members[name].map { $0 != first.members[name] } ?? false }
            let odd = first.members.keys.sorted().first(where: isOdd)
            guard let odd, let known = first.members[odd] else { continue }
            let expected = "the attributes that \(odd.prefix(32)) has in the first group: \(known)"
            reader.note(.renditionGroupInvalid, group.line, expected: expected)
        }
    }

    /// Effective values that corresponding members share (bis-22 section 4.4.6.1.1).
    private static func common(_ reader: TagReader) -> String {
        let isDefault = reader.is("DEFAULT", "YES")
        let isSelected = isDefault || reader.is("AUTOSELECT", "YES")
        let texts = ["LANGUAGE", "ASSOC-LANGUAGE", "CHARACTERISTICS"].map { (name: StaticString) in
            reader.text(name).map { "\(name)=\"\($0.prefix(64))\"" }
        }
        let words = [
            isDefault ? "DEFAULT=YES" : nil, isSelected ? "AUTOSELECT=YES" : nil,
            reader.is("FORCED", "YES") ? "FORCED=YES" : nil,
        ]
        return (texts + words).compactMap { $0 }.joined(separator: ",")
    }
}
