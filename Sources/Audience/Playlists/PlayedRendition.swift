/// The renditions that a viewer can load, each from a media playlist of its own.
package enum PlayedRendition: UInt8, CaseIterable, Sendable {
    /// The variant's own playlist, whatever is in it.
    case video
    case audio
    case subtitles
}
