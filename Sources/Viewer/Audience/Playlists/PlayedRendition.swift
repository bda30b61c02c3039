package enum PlayedRendition: UInt8, CaseIterable, Sendable {
    /// The variant's own playlist, whatever is in it.
    case video
    case audio
    case subtitles
}
