import AdServing
import HLS

/// Writes the live channel's playlists: pure functions of the settings and a media sequence.
struct LivePlaylist: Sendable {
    let timeline: ChannelTimeline
    /// Nil where no breaks are announced.
    let schedule: BreakSchedule?
    let breakDuration: Duration
    /// How long before its start, counted from the live edge, a break is in the playlist.
    let announceLead: Duration

    init(_ configuration: OriginConfiguration) {
        let seconds = Int(configuration.segmentDuration.components.seconds)
        timeline = ChannelTimeline(segmentSeconds: seconds, windowSegments: configuration.windowSegments)
        schedule = configuration.announceBreaks ? configuration.breakSchedule : nil
        breakDuration = configuration.breakDuration
        // The newest segment is up to one target duration old: five leave at least four before the break itself.
        announceLead = configuration.announceLead ?? max(configuration.segmentDuration * 5, .seconds(10))
    }

    /// The media playlist of any variant while `newest` is the newest segment.
    func media(newest: UInt64) -> [UInt8] {
        let window = timeline.window(newest: newest)
        var writer = MediaPlaylistWriter(targetDurationSeconds: timeline.segmentSeconds, version: 7)
        writer.mediaSequence = window.lowerBound
        writer.isIndependentSegments = true
        writer.dateRanges = announcedBreaks(window: window).map(Self.dateRange)
        writer.segments = window.map { segment in
            MediaPlaylistWriter.Segment(
                uri: "\(segment).m4s",
                durationMicroseconds: Int64(timeline.segmentSeconds) * 1_000_000,
                programDate: timeline.programDate(of: segment),
                map: MediaPlaylistWriter.Map(uri: "init.mp4")
            )
        }
        return writer.render()
    }

    /// The breaks listed in a window: announced far enough ahead, kept while a segment that they cover is listed.
    func announcedBreaks(window: ClosedRange<UInt64>) -> [ScheduledBreak] {
        guard let schedule else { return [] }
        let covered = timeline.programDate(of: window.lowerBound) - breakDuration
        let ahead = timeline.programDate(of: window.upperBound + 1) + announceLead
        return schedule.breaks(in: covered..<ahead).filter { $0.start > covered }
    }

    /// The tag that announces a break; it depends on nothing but the break, so it never changes (bis-22 4.4.5.1).
    private static func dateRange(_ scheduled: ScheduledBreak) -> DateRange {
        let elapsed = scheduled.start.microseconds &- ChannelTimeline.zeroSeconds &* 1_000_000
        let splice = SpliceInsert(
            eventID: UInt32(truncatingIfNeeded: scheduled.ordinal),
            presentationTime: UInt64(clamping: elapsed) / 100 &* 9,
            duration: UInt64(clamping: scheduled.duration.wholeMicroseconds) / 100 &* 9
        )
        return DateRange(
            id: "break-\(scheduled.start.epochSeconds)",
            classAttribute: "com.podswarm.break",
            startDate: scheduled.start,
            plannedDuration: scheduled.duration,
            scte35Out: splice.hexadecimal
        )
    }
}
