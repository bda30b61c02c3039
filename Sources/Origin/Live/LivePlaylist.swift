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
        var text = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:\(timeline.segmentSeconds)
            #EXT-X-MEDIA-SEQUENCE:\(window.lowerBound)
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="init.mp4"

            """
        for scheduled in announcedBreaks(window: window) { text += Self.dateRange(scheduled) }
        for segment in window {
            text += """
                #EXT-X-PROGRAM-DATE-TIME:\(timeline.programDate(of: segment).iso8601)
                #EXTINF:\(timeline.segmentSeconds).000,
                \(segment).m4s

                """
        }
        return Array(text.utf8)
    }

    /// The breaks listed in a window: announced far enough ahead, kept while a segment that they cover is listed.
    func announcedBreaks(window: ClosedRange<UInt64>) -> [ScheduledBreak] {
        guard let schedule else { return [] }
        let covered = timeline.programDate(of: window.lowerBound) - breakDuration
        let ahead = timeline.programDate(of: window.upperBound + 1) + announceLead
        return schedule.breaks(in: covered..<ahead).filter { $0.start > covered }
    }

    /// The tag that announces a break; its text depends on nothing but the break, so it never changes (4.4.5.1).
    private static func dateRange(_ scheduled: ScheduledBreak) -> String {
        let elapsed = scheduled.start.microseconds &- ChannelTimeline.zeroSeconds &* 1_000_000
        let splice = SpliceInsert(
            eventID: UInt32(truncatingIfNeeded: scheduled.ordinal),
            presentationTime: UInt64(clamping: elapsed) / 100 &* 9,
            duration: UInt64(clamping: scheduled.duration.wholeMicroseconds) / 100 &* 9
        )
        return """
            #EXT-X-DATERANGE:ID="\(breakID(scheduled))",CLASS="com.podswarm.break",\
            START-DATE="\(scheduled.start.iso8601)",\
            PLANNED-DURATION=\(DecimalSeconds.text(microseconds: scheduled.duration.wholeMicroseconds)),\
            SCTE35-OUT=\(splice.hexadecimal)

            """
    }

    /// The date range ID of a break, the same in every variant and every origin.
    static func breakID(_ scheduled: ScheduledBreak) -> String { "break-\(scheduled.start.epochSeconds)" }
}

/// Seconds as playlists write them: three digits after the point, six where microseconds ask for them.
enum DecimalSeconds {
    static func text(microseconds: Int64) -> String {
        let (seconds, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        guard rest % 1_000 != 0 else { return "\(seconds).\(String(rest / 1_000).leftPadded(to: 3))" }
        return "\(seconds).\(String(rest).leftPadded(to: 6))"
    }
}
