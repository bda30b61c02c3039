/// What is held against the announcements of one break.
package enum AnnouncementRule {
    /// How far times of one date range may be apart where no profile says it: a frame at 23.976 a second, for redundant
    /// packagers round each to frames of their own.
    package static let usualTolerance = Duration.milliseconds(42)
}
