struct MultivariantPlaylistParser {
    private var lines: PlaylistLines
    private var header: PlaylistHeader
    private var playlist = MultivariantPlaylist()
    private var pendingVariant: MultivariantPlaylist.Variant?

    init(lines: PlaylistLines, header: PlaylistHeader) { (self.lines, self.header) = (lines, header) }

    mutating func parse(from first: TagLine) throws(PlaylistError) -> MultivariantPlaylist {
        playlist.otherTags = header.otherLines.map(lines.bytes.text)
        var line: TagLine? = first
        while let current = line {
            switch current.kind {
            case .uri: try finishVariant(current)
            case .tag(let tag): try read(tag, current)
            }
            line = lines.next()
        }
        guard pendingVariant == nil else {
            throw lines.error(.missingURI, at: lines.bytes.count, "the last EXT-X-STREAM-INF has no URI line")
        }
        playlist.head = header.head
        if let offset = header.importOffset {
            throw lines.error(.misplacedTag, at: offset, "IMPORT belongs in media playlists only")
        }
        return playlist
    }

    private mutating func finishVariant(_ line: TagLine) throws(PlaylistError) {
        guard var variant = pendingVariant else {
            throw lines.error(.unexpectedURI, at: line.start, "a URI line needs EXT-X-STREAM-INF before it")
        }
        variant.uri = lines.bytes.text(line.range)
        playlist.variants.append(variant)
        pendingVariant = nil
    }

    private mutating func read(_ tag: PlaylistTag, _ line: TagLine) throws(PlaylistError) {
        switch tag {
        case .streamInf:
            guard pendingVariant == nil else {
                throw lines.error(.missingURI, at: line.start, "EXT-X-STREAM-INF follows another without a URI line")
            }
            pendingVariant = try StreamTag(lines: lines, line: line).variant().variant
        case .iFrameStreamInf:
            let (variant, hasURI) = try StreamTag(lines: lines, line: line).variant()
            guard hasURI else {
                throw lines.error(.missingAttribute, at: line.start, "EXT-X-I-FRAME-STREAM-INF needs URI")
            }
            playlist.iFrameVariants.append(variant)
        case .media:
            if let rendition = try StreamTag(lines: lines, line: line).rendition() {
                playlist.renditions.append(rendition)
            }
        case .version, .independentSegments, .start, .define, .extm3u:
            try header.read(tag, line, lines)
        case .contentSteering:
            try header.once(tag, line, lines)
            playlist.contentSteering = try StreamTag(lines: lines, line: line).contentSteering()
        case .sessionData, .sessionKey, .unknown:
            playlist.otherTags.append(lines.bytes.text(line.range))
        default:
            throw lines.error(.mixedKinds, at: line.start, "\(tag.fullName) does not belong in a multivariant playlist")
        }
    }
}

/// Tags of multivariant playlists (RFC 8216 section 4.3.4, bis-22 section 4.4.6).
struct StreamTag {
    var lines: PlaylistLines
    var line: TagLine

    private func attributes() throws(PlaylistError) -> [(name: String, value: AttributeValue)] {
        var list = AttributeList(lines.bytes, line.valueRange)
        var found: [(name: String, value: AttributeValue)] = []
        while let attribute = list.next() { found.append((list.bytes.text(attribute.name), list.value(attribute))) }
        guard !list.isMalformed else {
            throw lines.error(.badAttributeList, at: line.start, "the attribute list breaks the syntax")
        }
        return found
    }

    func variant() throws(PlaylistError) -> (variant: MultivariantPlaylist.Variant, hasURI: Bool) {
        var variant = MultivariantPlaylist.Variant(uri: "", bandwidth: -1)
        var hasURI = false
        for (name, value) in try attributes() {
            switch name {
            case "URI":
                variant.uri = value.text
                hasURI = true
            case "BANDWIDTH": variant.bandwidth = try integer(value, name)
            case "AVERAGE-BANDWIDTH": variant.averageBandwidth = try integer(value, name)
            case "CODECS": variant.codecs = value.text
            case "RESOLUTION": (variant.width, variant.height) = try resolution(value)
            case "FRAME-RATE": variant.frameRate = try frameRate(value)
            case "AUDIO": variant.audioGroup = value.text
            case "VIDEO": variant.videoGroup = value.text
            case "SUBTITLES": variant.subtitlesGroup = value.text
            default: variant.otherAttributes[name] = value
            }
        }
        guard variant.bandwidth >= 0 else {
            throw lines.error(.missingAttribute, at: line.start, "BANDWIDTH is missing")
        }
        return (variant, hasURI)
    }

    /// Nil for an unknown TYPE: a client ignores the tag (bis-22 section 6.3.1).
    func rendition() throws(PlaylistError) -> MultivariantPlaylist.Rendition? {
        var type: String?
        var group: String?
        var label: String?
        var rendition = MultivariantPlaylist.Rendition(type: .audio, groupID: "", name: "")
        for (name, value) in try attributes() {
            switch name {
            case "TYPE": type = value.text
            case "GROUP-ID": group = value.text
            case "NAME": label = value.text
            case "URI": rendition.uri = value.text
            case "LANGUAGE": rendition.language = value.text
            case "DEFAULT": rendition.isDefault = value.text == "YES"
            case "AUTOSELECT": rendition.isAutoselect = value.text == "YES"
            default: rendition.otherAttributes[name] = value
            }
        }
        guard let type, let group, let label else {
            throw lines.error(.missingAttribute, at: line.start, "EXT-X-MEDIA needs TYPE, GROUP-ID and NAME")
        }
        guard let kind = MultivariantPlaylist.Rendition.Kind(rawValue: type) else { return nil }
        rendition.type = kind
        rendition.groupID = group
        rendition.name = label
        return rendition
    }

    func contentSteering() throws(PlaylistError) -> ContentSteering {
        var steering = ContentSteering(serverURI: "")
        for (name, value) in try attributes() {
            switch name {
            case "SERVER-URI": steering.serverURI = value.text
            case "PATHWAY-ID": steering.pathwayID = value.text
            default: steering.otherAttributes[name] = value
            }
        }
        guard !steering.serverURI.isEmpty else {
            throw lines.error(.missingAttribute, at: line.start, "EXT-X-CONTENT-STEERING needs SERVER-URI")
        }
        return steering
    }

    private func integer(_ value: AttributeValue, _ name: String) throws(PlaylistError) -> Int {
        guard case .number(let text) = value, let number = Int(text), number >= 0 else {
            throw lines.error(.badTag, at: line.start, "\(name) must be a whole number")
        }
        return number
    }

    private func frameRate(_ value: AttributeValue) throws(PlaylistError) -> Double {
        let bytes = Array(value.text.utf8)
        guard let millionths = bytes.withUnsafeBytes({ DecimalText.microseconds($0, 0..<bytes.count) }) else {
            throw lines.error(.badTag, at: line.start, "FRAME-RATE must be a number")
        }
        return Double(millionths) / 1_000_000
    }

    private func resolution(_ value: AttributeValue) throws(PlaylistError) -> (Int, Int) {
        let sides = value.text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width >= 0, height >= 0 else {
            throw lines.error(.badTag, at: line.start, "RESOLUTION must be width x height")
        }
        return (width, height)
    }
}
