package struct MultivariantPlaylist: Hashable, Sendable {
    package var version: Int?
    package var independentSegments: Bool
    package var variants: [Variant]
    package var iFrameVariants: [Variant]
    package var renditions: [Rendition]
    package var startPoint: StartPoint?
    package var definitions: [VariableDefinition]
    package var contentSteering: ContentSteering?
    /// Lines of tags that the model does not read (session data and keys, unknown ones), in order.
    package var otherTags: [String]

    package init(
        version: Int? = nil,
        independentSegments: Bool = false,
        variants: [Variant] = [],
        iFrameVariants: [Variant] = [],
        renditions: [Rendition] = [],
        startPoint: StartPoint? = nil,
        definitions: [VariableDefinition] = [],
        contentSteering: ContentSteering? = nil,
        otherTags: [String] = []
    ) {
        self.version = version
        self.independentSegments = independentSegments
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.renditions = renditions
        self.startPoint = startPoint
        self.definitions = definitions
        self.contentSteering = contentSteering
        self.otherTags = otherTags
    }
}

extension MultivariantPlaylist {
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
        package var otherAttributes: [String: AttributeValue]

        package init(
            uri: String,
            bandwidth: Int,
            averageBandwidth: Int? = nil,
            codecs: String? = nil,
            width: Int? = nil,
            height: Int? = nil,
            frameRate: Double? = nil,
            audioGroup: String? = nil,
            videoGroup: String? = nil,
            subtitlesGroup: String? = nil,
            otherAttributes: [String: AttributeValue] = [:]
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.width = width
            self.height = height
            self.frameRate = frameRate
            self.audioGroup = audioGroup
            self.videoGroup = videoGroup
            self.subtitlesGroup = subtitlesGroup
            self.otherAttributes = otherAttributes
        }
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
        package var isDefault: Bool
        package var isAutoselect: Bool
        package var otherAttributes: [String: AttributeValue]

        package init(
            type: Kind,
            groupID: String,
            name: String,
            uri: String? = nil,
            language: String? = nil,
            isDefault: Bool = false,
            isAutoselect: Bool = false,
            otherAttributes: [String: AttributeValue] = [:]
        ) {
            self.type = type
            self.groupID = groupID
            self.name = name
            self.uri = uri
            self.language = language
            self.isDefault = isDefault
            self.isAutoselect = isAutoselect
            self.otherAttributes = otherAttributes
        }
    }
}
