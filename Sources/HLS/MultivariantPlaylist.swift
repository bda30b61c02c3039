package struct MultivariantPlaylist: Hashable, Sendable {
    package var version: Int?
    package var independentSegments = false
    package var variants: [Variant] = []
    package var iFrameVariants: [Variant] = []
    package var renditions: [Rendition] = []
    package var startPoint: StartPoint?
    package var definitions: [VariableDefinition] = []
    package var contentSteering: ContentSteering?
    /// Lines of tags that the model does not read (session data and keys, unknown ones), in order.
    package var otherTags: [String] = []
}

extension MultivariantPlaylist {
    package init(version: Int, independentSegments: Bool) {
        self.init(version: version, independentSegments: independentSegments, variants: [])
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
}

extension MultivariantPlaylist.Rendition {
    package init(type: Kind, groupID: String, name: String) {
        self.init(type: type, groupID: groupID, name: name, uri: nil)
    }
}
