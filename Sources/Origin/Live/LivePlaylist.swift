import AdServing
import HLS

/// Writes the live channel's playlists: pure functions of the settings, the channel plan and the live edge.
struct LivePlaylist: Sendable {
    let timeline: ChannelTimeline
    /// Nil where no breaks are announced.
    let schedule: BreakSchedule?
    let breakDuration: Duration
    /// How long before its start, counted from the live edge, a break is in the playlist.
    let announceLead: Duration
    /// Every media playlist of the channel, variants first.
    let renditions: [LiveRendition]
    let lowLatency: LowLatencyPlan?
    let variables: VariablesPlan
    /// Value of the token where there is one.
    let tokenValue: String
    let additions: [any ChannelAdditions]
    /// Whether a tag of its own ends each announced break.
    private let closesBreaks: Bool

    init(
        _ configuration: OriginConfiguration,
        plan: ChannelPlan = .plain,
        additions: [any ChannelAdditions] = []
    ) {
        let seconds = Int(configuration.segmentDuration.components.seconds)
        timeline = ChannelTimeline(
            segmentSeconds: seconds,
            windowSegments: configuration.windowSegments,
            partMicroseconds: plan.lowLatency?.partDuration?.wholeMicroseconds
        )
        // A channel that carries its breaks itself must not announce others as if it carried those, too.
        let announces = configuration.announceBreaks && plan.stitched == nil
        schedule = announces ? configuration.breakSchedule : nil
        breakDuration = configuration.breakDuration
        announceLead = configuration.standardLead
        renditions =
            ClipProfile.allCases.prefix(configuration.variantCount).map(LiveRendition.variant)
            + plan.renditions.audio.map { .audio(language: $0) }
            + plan.renditions.subtitles.map { .subtitles(language: $0) }
        lowLatency = plan.lowLatency
        variables = plan.variables
        tokenValue = ChannelToken.value(seed: configuration.seed)
        self.additions = additions
        closesBreaks = configuration.closesBreaks
    }

    /// The whole media playlist of a rendition while `newest` is the newest segment and nothing of the next is there.
    func media(newest: UInt64, of rendition: LiveRendition = .variant(.high)) -> [UInt8] {
        media(PlaylistVersion(edge: LiveEdge(newest: newest), rendition: rendition)).text
    }

    /// The text of a version of a media playlist, and whether it is a delta update.
    func media(_ version: PlaylistVersion) -> (text: [UInt8], isShortened: Bool) {
        let full = described(version)
        guard let delta = version.delta, let shortened = shortened(full, version: version, delta) else {
            return (full.render(), false)
        }
        return (shortened + digestLine(of: full), true)
    }

    /// A version of a media playlist, whole.
    func described(_ version: PlaylistVersion) -> MediaPlaylistWriter {
        let listing = timeline.listing(at: version.edge)
        var writer = MediaPlaylistWriter(targetDurationSeconds: timeline.segmentSeconds, version: protocolVersion)
        writer.mediaSequence = listing.segments.lowerBound
        writer.discontinuitySequence = additions.reduce(0) {
            $0 &+ $1.discontinuities(before: listing.segments.lowerBound)
        }
        writer.isIndependentSegments = true
        writer.definitions = definitions
        writer.dateRanges = dateRanges(listing)
        let content = SegmentListing(playlist: self, version: version)
        writer.segments = listing.segments.map(content.segment)
        if let lowLatency { deliver(version, by: lowLatency, content, &writer) }
        return writer
    }

    /// The date ranges of a version: the announced breaks, then what additions put in.
    func dateRanges(_ listing: ListedWindow) -> [DateRange] {
        let breaks = announcedBreaks(window: listing.segments, edge: listing.edge)
        var ranges = breaks.flatMap { scheduled in
            let announced = Self.dateRange(scheduled)
            let end = scheduled.start + scheduled.duration
            guard closesBreaks, end <= listing.edge else { return [announced] }
            return [announced, DateRange(id: announced.id, endDate: end)]
        }
        for addition in additions { ranges += addition.dateRanges(in: listing) }
        return ranges
    }

    /// The breaks listed in a window: announced far enough ahead, kept while a segment that they cover is listed.
    func announcedBreaks(window: ClosedRange<UInt64>, edge: WallTime) -> [ScheduledBreak] {
        guard let schedule else { return [] }
        let covered = timeline.programDate(of: window.lowerBound) - breakDuration
        return schedule.breaks(in: covered..<edge + announceLead).filter { $0.start > covered }
    }

    /// What a file beside the media playlist is called there.
    func uri(_ file: String, of rendition: LiveRendition) -> String {
        let path = variables.base.map { "{$\($0)}/\(rendition.name)/\(file)" } ?? file
        return withToken(path)
    }

    /// A URI that carries on the token, where URIs have one.
    func withToken(_ uri: String) -> String {
        variables.token.map { "\(uri)?\($0)={$\($0)}" } ?? uri
    }

    private var definitions: [VariableDefinition] {
        var definitions: [VariableDefinition] = []
        if let base = variables.base { definitions.append(.imported(name: base)) }
        if let token = variables.token { definitions.append(.queryParameter(name: token)) }
        return definitions
    }

    private var protocolVersion: Int {
        let deltas =
            switch lowLatency?.deltaUpdates {
            case .segments: 9
            case .dateRanges: 10
            case .some(.none), nil: 7
            }
        return max(deltas, variables.mediaVersion)
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

/// Which text of a media playlist is asked for; everything that it depends on.
struct PlaylistVersion: Hashable, Sendable {
    /// How a playlist is shortened to what is new (bis-22 section 6.2.5.1).
    struct Delta: Hashable, Sendable {
        /// Whether old date ranges are left out as well.
        var skipsDateRanges = false
        /// Whether the count of left out segments is one too many, by a planned fault.
        var isWrong = false
    }

    var edge: LiveEdge
    var rendition: LiveRendition
    /// See `ChannelAdditions.view`.
    var view: UInt64 = 0
    /// Nil: whole.
    var delta: Delta?
}
