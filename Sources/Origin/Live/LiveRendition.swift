/// One of the live channel's media playlists: a variant, or a rendition with its own media.
enum LiveRendition: Hashable, Sendable {
    case variant(ClipProfile)
    case audio(language: String)
    case subtitles(language: String)

    /// The folder that its playlist and media are in.
    var name: String {
        switch self {
        case .variant(let profile): profile.rawValue
        case .audio(let language): "audio-\(language)"
        case .subtitles(let language): "subtitles-\(language)"
        }
    }

    /// Whether its segments are text, without initialization section and without parts.
    var isText: Bool {
        guard case .subtitles = self else { return false }
        return true
    }

    var isAudio: Bool {
        guard case .audio = self else { return false }
        return true
    }

    /// What the names of its segments end in.
    var segmentSuffix: String { isText ? ".vtt" : ".m4s" }
}
