import AdServing
import HLS
import Profile

/// Pure functions of the settings, the channel plan and the live edge.
struct LivePlaylist: Sendable {
    let timeline: ChannelTimeline
    let schedule: BreakSchedule?
    let breakDuration: Duration
    /// Time before its start, from the live edge, at which a break is listed.
    let announceLead: Duration
    let renditions: [LiveRendition]
    let lowLatency: LowLatencyPlan?
    let variables: VariablesPlan
    let tokenValue: String
    let additions: [any ChannelAdditions]
    /// A tag of its own ends each announced break.
    private let closesBreaks: Bool

    init(_ configuration: OriginConfiguration, plan: ChannelPlan = .plain, additions: [any ChannelAdditions] = []) {
        timeline = ChannelTimeline(
            segmentSeconds: configuration.segmentSeconds,
            windowSegments: configuration.windowSegments,
            partMicroseconds: plan.lowLatency?.partDuration?.wholeMicroseconds
        )
        // Stitched breaks replace the others.
        let announces = configuration.announcesBreaks && plan.stitched == nil
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

    /// Without parts of the next segment.
    func media(newest: UInt64, of rendition: LiveRendition = .variant(.high)) -> [UInt8] {
        media(PlaylistVersion(edge: LiveEdge(newest: newest), rendition: rendition)).text
    }

    func media(_ version: PlaylistVersion) -> (text: [UInt8], isShortened: Bool) {
        let full = described(version)
        guard let delta = version.delta, let shortened = shortened(full, version: version, delta) else {
            return (full.render(), false)
        }
        return (shortened + digestLine(of: full), true)
    }

    func described(_ version: PlaylistVersion) -> MediaPlaylistWriter {
        let listing = timeline.listing(at: version.edge)
        var writer = MediaPlaylistWriter(targetDurationSeconds: timeline.segmentSeconds, version: protocolVersion)
        writer.mediaSequence = listing.segments.lowerBound
        writer.countsDiscontinuities = !additions.isEmpty
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

    func dateRanges(_ listing: ListedWindow) -> [DateRange] {
        let breaks = announcedBreaks(window: listing.segments, edge: listing.edge)
        var ranges = breaks.flatMap { scheduled in
            let announced = Self.dateRange(scheduled)
            let end = scheduled.start + scheduled.duration
            guard closesBreaks, end <= listing.edge else { return [announced] }
            var ending = DateRange(id: announced.id)
            ending.endDate = end
            return [announced, ending]
        }
        for addition in additions { ranges += addition.dateRanges(in: listing) }
        return ranges
    }

    /// Kept while a covered segment is listed.
    func announcedBreaks(window: ClosedRange<UInt64>, edge: WallTime) -> [ScheduledBreak] {
        guard let schedule else { return [] }
        let covered = timeline.programDate(of: window.lowerBound) - breakDuration
        return schedule.breaks(in: covered..<edge + announceLead).filter { $0.start > covered }
    }

    /// Relative to the media playlist.
    func uri(_ file: String, of rendition: LiveRendition) -> String {
        let path = variables.base.map { "{$\($0)}/\(rendition.name)/\(file)" } ?? file
        return withToken(path)
    }

    func withToken(_ uri: String) -> String { variables.token.map { "\(uri)?\($0)={$\($0)}" } ?? uri }

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

    /// Never changes (bis-22 4.4.5.1).
    private static func dateRange(_ scheduled: ScheduledBreak) -> DateRange {
        let splice = SpliceInsert(ofBreak: scheduled.ordinal, at: scheduled.start, lasting: scheduled.duration)
        var range = DateRange(id: "break-\(scheduled.start.epochSeconds)")
        range.classAttribute = "com.podswarm.break"
        (range.startDate, range.plannedDuration) = (scheduled.start, scheduled.duration)
        range.scte35Out = splice.hexadecimal
        return range
    }
}

struct PlaylistVersion: Hashable, Sendable {
    /// Delta update (bis-22 section 6.2.5.1).
    struct Delta: Hashable, Sendable {
        var skipsDateRanges = false
        var isWrong = false
    }

    var edge: LiveEdge
    var rendition: LiveRendition
    var view: UInt64 = 0
    var delta: Delta?
}
