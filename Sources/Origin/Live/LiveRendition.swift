/// A media playlist of the live channel: a variant, or a rendition with its own media.
enum LiveRendition: Hashable, Sendable {
    case variant(ClipProfile)
    case audio(language: String)
    case subtitles(language: String)

    /// Folder of its playlist and media.
    var name: String {
        switch self {
        case .variant(let profile): profile.rawValue
        case .audio(let language): "audio-\(language)"
        case .subtitles(let language): "subtitles-\(language)"
        }
    }

    /// Text has no initialization section and no parts.
    var isText: Bool {
        guard case .subtitles = self else { return false }
        return true
    }

    var isAudio: Bool {
        guard case .audio = self else { return false }
        return true
    }

    var segmentSuffix: String { isText ? ".vtt" : ".m4s" }
}
