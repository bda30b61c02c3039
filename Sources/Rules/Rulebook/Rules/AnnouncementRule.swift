package enum AnnouncementRule {
    /// Default for times of one date range: a frame at 23.976 a second, because redundant packagers round to their own frames.
    package static let usualTolerance = Duration.milliseconds(42)
}
