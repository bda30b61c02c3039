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
}

extension MultivariantPlaylist.Variant {
    package init(uri: String, bandwidth: Int) { self.init(uri: uri, bandwidth: bandwidth, averageBandwidth: nil) }

    var attributeText: AttributeText {
        var list = AttributeText()
        list.plain("BANDWIDTH", bandwidth)
        list.plain("AVERAGE-BANDWIDTH", averageBandwidth)
        list.quoted("CODECS", codecs)
        if let width, let height { list.plain("RESOLUTION", "\(width)x\(height)") }
        list.plain("FRAME-RATE", frameRate.map { SecondsText.decimal(SecondsText.microseconds($0)) })
        list.quoted("AUDIO", audioGroup)
        list.quoted("VIDEO", videoGroup)
        list.quoted("SUBTITLES", subtitlesGroup)
        list.others(otherAttributes)
        return list
    }
}

extension MultivariantPlaylist.Rendition {
    package init(type: Kind, groupID: String, name: String) {
        self.init(type: type, groupID: groupID, name: name, uri: nil)
    }

    var attributeText: AttributeText {
        var list = AttributeText()
        list.plain("TYPE", type.rawValue)
        list.quoted("GROUP-ID", groupID)
        list.quoted("NAME", name)
        list.quoted("LANGUAGE", language)
        list.flag("DEFAULT", isDefault)
        list.flag("AUTOSELECT", isAutoselect)
        list.others(otherAttributes)
        list.quoted("URI", uri)
        return list
    }
}

extension MultivariantPlaylist {
    package func render() -> [UInt8] {
        var text = PlaylistText()
        text.head(head)
        if let contentSteering { text.tag(.contentSteering, contentSteering.attributeText) }
        for line in otherTags { text.line(line) }
        for rendition in renditions { text.tag(.media, rendition.attributeText) }
        for variant in variants {
            text.tag(.streamInf, variant.attributeText)
            text.uri(variant.uri)
        }
        for variant in iFrameVariants {
            var attributes = variant.attributeText
            attributes.quoted("URI", variant.uri)
            text.tag(.iFrameStreamInf, attributes)
        }
        return text.bytes
    }
}
