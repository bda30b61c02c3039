package struct MultivariantPlaylist: Hashable, Sendable {
    package var head = PlaylistHead()
    package var variants: [Variant] = []
    package var iFrameVariants: [Variant] = []
    package var renditions: [Rendition] = []
    package var contentSteering: ContentSteering?
    /// Unread lines in order: session data and keys, unknown tags.
    package var otherTags: [String] = []
}

extension MultivariantPlaylist {
    /// Whether a variant's playlist is also a rendition beside the pictures of other variants.
    package func isSharedAudio(_ uri: String) -> Bool {
        let audio = renditions.filter { $0.type == .audio }.compactMap(\.uri)
        return audio.contains(uri) && !variants.allSatisfy { audio.contains($0.uri) }
    }

    package init(version: Int, independentSegments: Bool) {
        self.init(head: PlaylistHead(version: version, isIndependentSegments: independentSegments), variants: [])
    }

    /// EXT-X-STREAM-INF (RFC 8216 section 4.3.4.2) or EXT-X-I-FRAME-STREAM-INF.
    package struct Variant: Hashable, Sendable {
        /// As the playlist spells it.
        package var uri: String
        /// Peak bits per second.
        package var bandwidth: Int
        /// Bits per second.
        package var averageBandwidth: Int?
        package var codecs: String?
        package var width: Int?
        package var height: Int?
        package var frameRate: Double?
        package var audioGroup: String?
        package var videoGroup: String?
        package var subtitlesGroup: String?
        package var otherAttributes: [String: AttributeValue] = [:]
    }

    /// EXT-X-MEDIA (RFC 8216 section 4.3.4.1).
    package struct Rendition: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case audio = "AUDIO"
            case video = "VIDEO"
            case subtitles = "SUBTITLES"
            case closedCaptions = "CLOSED-CAPTIONS"
        }

        package var type: Kind
        package var groupID: String
        package var name: String
        /// Nil: the media is inside the variant stream.
        package var uri: String?
        package var language: String?
        package var isDefault = false
        package var isAutoselect = false
        package var otherAttributes: [String: AttributeValue] = [:]
    }

    package func render() -> [UInt8] {
        var text = PlaylistText()
        text.head(head)
        if let contentSteering { text.tag(.contentSteering, with: contentSteering.written) }
        for line in otherTags { text.line(line) }
        for rendition in renditions { text.tag(.media, with: rendition.written) }
        for variant in variants {
            text.tag(.streamInf, with: variant.written)
            text.uri(variant.uri)
        }
        for variant in iFrameVariants {
            text.tag(.iFrameStreamInf, with: variant.written + [.quoted("URI", variant.uri)])
        }
        return text.bytes
    }
}

extension MultivariantPlaylist.Variant {
    package init(uri: String, bandwidth: Int) { self.init(uri: uri, bandwidth: bandwidth, averageBandwidth: nil) }

    var written: [WrittenAttribute] {
        let known: [WrittenAttribute] = [
            .plain("BANDWIDTH", bandwidth), .plain("AVERAGE-BANDWIDTH", averageBandwidth), .quoted("CODECS", codecs),
            .plain("RESOLUTION", width.flatMap { width in height.map { "\(width)x\($0)" } }),
            .plain("FRAME-RATE", frameRate.map { SecondsText.decimal(SecondsText.microseconds($0)) }),
            .quoted("AUDIO", audioGroup), .quoted("VIDEO", videoGroup), .quoted("SUBTITLES", subtitlesGroup),
        ]
        return known + WrittenAttribute.others(otherAttributes)
    }
}

extension MultivariantPlaylist.Rendition {
    package init(type: Kind, groupID: String, name: String) {
        self.init(type: type, groupID: groupID, name: name, uri: nil)
    }

    var written: [WrittenAttribute] {
        let known: [WrittenAttribute] = [
            .plain("TYPE", type.rawValue), .quoted("GROUP-ID", groupID), .quoted("NAME", name),
            .quoted("LANGUAGE", language), .flag("DEFAULT", isDefault), .flag("AUTOSELECT", isAutoselect),
        ]
        return known + WrittenAttribute.others(otherAttributes) + [.quoted("URI", uri)]
    }
}
