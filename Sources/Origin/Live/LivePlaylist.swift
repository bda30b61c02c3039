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
    /// Not a secret: it shows whether a client replaces variables.
    let tokenValue: String
    private let address: OriginAddress
    private let interstitials: InterstitialSchedule
    let stitched: StitchedMarkup?
    /// A tag of its own ends each announced break.
    private let closesBreaks: Bool

    init(_ configuration: OriginConfiguration, plan: ChannelPlan = .usual, address: OriginAddress? = nil) {
        let timeline = ChannelTimeline(
            segmentSeconds: configuration.segmentSeconds,
            windowSegments: configuration.windowSegments,
            partMicroseconds: plan.lowLatency?.partDuration?.wholeMicroseconds
        )
        self.timeline = timeline
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
        tokenValue = SeededHash(seed: configuration.seed, "channel token").value.hexadecimal(digits: 16)
        self.address = address ?? OriginAddress(configuration)
        interstitials = InterstitialSchedule(scripts: plan.interstitials, standardLead: announceLead)
        stitched = plan.stitched.map {
            let schedule = StitchedSchedule($0, timeline: timeline)
            return StitchedMarkup(schedule, seed: configuration.seed, lead: configuration.standardLead)
        }
        closesBreaks = configuration.closesBreaks
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
        writer.countsDiscontinuities = stitched != nil || !interstitials.scripts.isEmpty
        writer.discontinuitySequence = stitched?.schedule.discontinuities(before: listing.segments.lowerBound) ?? 0
        writer.head.isIndependentSegments = true
        writer.head.definitions = definitions
        writer.dateRanges = dateRanges(listing)
        let content = SegmentListing(playlist: self, version: version)
        writer.segments = listing.segments.map(content.segment)
        if let lowLatency { deliver(version, by: lowLatency, content, &writer) }
        return writer
    }

    func dateRanges(_ listing: ListedWindow) -> [DateRange] {
        let breaks = announcedBreaks(window: listing.segments, edge: listing.edge)
        let announced = breaks.flatMap { scheduled in
            let announced = Self.dateRange(scheduled)
            let end = scheduled.start + scheduled.duration
            guard closesBreaks, end <= listing.edge else { return [announced] }
            var ending = DateRange(id: announced.id)
            ending.endDate = end
            return [announced, ending]
        }
        return announced + interstitials.dateRanges(from: listing.start, edge: listing.edge, base: address.base)
            + (stitched?.dateRanges(in: listing) ?? [])
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
        let base = variables.base.map(VariableDefinition.imported(name:))
        return [base, variables.token.map(VariableDefinition.queryParameter(name:))].compactMap(\.self)
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

extension LivePlaylist {
    /// CAN-SKIP-UNTIL.
    var skipBoundary: Duration? {
        guard let lowLatency, lowLatency.deltaUpdates != .none else { return nil }
        return .seconds(timeline.segmentSeconds * LowLatencyPlan.skipBoundarySegments)
    }

    /// Low-latency tags (bis-22 sections 4.4.3.7, 4.4.3.8, 4.4.5.3 and 4.4.5.4).
    func deliver(
        _ version: PlaylistVersion,
        by plan: LowLatencyPlan,
        _ content: SegmentListing,
        _ writer: inout MediaPlaylistWriter
    ) {
        // Equal in all playlists (bis-22 section 6.2.4).
        writer.serverControl = serverControl(plan)
        if timeline.partsPerSegment > 0, !version.rendition.isText {
            writer.partTargetMicroseconds = timeline.partMicroseconds
            writer.trailingTags = content.trailingTags
            writer.trailingParts = content.trailingParts
            if plan.preloadHints { writer.preloadHints = [content.hint(isGone: isHintGone(after: version.edge))] }
        }
        guard plan.renditionReports else { return }
        writer.renditionReports = renditions.filter { $0 != version.rendition }.map { report($0, at: version.edge) }
    }

    func isHintGone(after edge: LiveEdge) -> Bool {
        guard let lowLatency, lowLatency.goneHintEvery > 0 else { return false }
        return edge.parts == 0 && (edge.newest &+ 1) % UInt64(lowLatency.goneHintEvery) == 0
    }

    private func serverControl(_ plan: LowLatencyPlan) -> MediaPlaylist.ServerControl {
        let part = plan.partDuration.map { plan.partHoldBack ?? $0 * 3 }
        var control = MediaPlaylist.ServerControl(canBlockReload: plan.blocking)
        control.holdBackSeconds = plan.holdBack.map { $0 / .seconds(1) }
        control.partHoldBackSeconds = part.map { $0 / .seconds(1) }
        control.canSkipUntilSeconds = skipBoundary.map { $0 / .seconds(1) }
        control.canSkipDateRanges = plan.deltaUpdates == .dateRanges
        return control
    }

    private func report(_ rendition: LiveRendition, at edge: LiveEdge) -> MediaPlaylistWriter.Report {
        let uri = withToken("../\(rendition.name)/media.m3u8")
        guard timeline.partsPerSegment > 0, !rendition.isText else {
            return MediaPlaylistWriter.Report(uri: uri, lastMediaSequence: edge.newest)
        }
        let isComplete = edge.parts == 0
        return MediaPlaylistWriter.Report(
            uri: uri,
            lastMediaSequence: isComplete ? edge.newest : edge.newest &+ 1,
            lastPart: UInt64(isComplete ? timeline.partsPerSegment - 1 : edge.parts - 1)
        )
    }

    /// Delta update (bis-22 section 6.2.5.1); nil if nothing is old enough to skip.
    func shortened(_ full: MediaPlaylistWriter, version: PlaylistVersion, _ delta: PlaylistVersion.Delta) -> [UInt8]? {
        guard let skipBoundary else { return nil }
        let listing = timeline.listing(at: version.edge)
        let boundary = listing.edge - skipBoundary
        let skipped = listing.segments.prefix { timeline.programDate(of: $0 &+ 1) <= boundary }.count
        guard skipped > 0 else { return nil }
        var writer = full
        writer.skippedSegments = UInt64(skipped)
        writer.segments.removeFirst(skipped)
        // The line is valid, and differs from the whole playlist's.
        if delta.isWrong, !writer.segments.isEmpty { writer.segments[0].durationMicroseconds -= 1_000 }
        if delta.skipsDateRanges, lowLatency?.deltaUpdates == .dateRanges {
            (writer.dateRanges, writer.recentlyRemovedDateRanges) = dateRangeChanges(listing, since: boundary)
        }
        return writer.render()
    }

    /// For a client whose copy is at most as old as an instant.
    private func dateRangeChanges(
        _ listing: ListedWindow,
        since instant: WallTime
    ) -> (recent: [DateRange], removed: [String]) {
        let current = dateRanges(listing)
        var removed: [String] = []
        var seen = Set(current.map(\.id))
        var known: [DateRange]?
        var edge = timeline.edge(at: instant)
        while let past = edge, timeline.publication(of: past) < listing.edge {
            let ranges = dateRanges(timeline.listing(at: past))
            if known == nil { known = ranges }
            for range in ranges where seen.insert(range.id).inserted { removed.append(range.id) }
            edge = timeline.edge(after: past)
        }
        let old = Set(known ?? [])
        // A later tag of an ID needs the first one.
        let changed = Set(current.filter { !old.contains($0) }.map(\.id))
        return (current.filter { changed.contains($0.id) }, removed)
    }

    /// As a client does, with variables replaced.
    func read(_ text: [UInt8]) -> MediaPlaylist? {
        let token = variables.token.map { "?\($0)=\(tokenValue)" } ?? ""
        let imported = variables.base.map { [$0: MultivariantListing.base] } ?? [:]
        let playlist = text.withUnsafeBytes {
            try? Playlist.parse($0, url: "http://origin/\(token)", importing: imported)
        }
        guard case .media(let media) = playlist else { return nil }
        return media
    }

    /// Clients check their merged playlist by the digest.
    func digestLine(of full: MediaPlaylistWriter) -> [UInt8] {
        guard let playlist = read(full.render()) else { return [] }
        return Array((DigestComment.line(playlist.contentDigest) + "\n").utf8)
    }
}

/// Delivery directives of a request (bis-22 section 6.2.5).
struct PlaylistDirectives: Sendable, Equatable {
    static let none = PlaylistDirectives()

    /// `_HLS_msn`.
    var segment: UInt64?
    /// `_HLS_part`, less than the parts of a segment.
    var part: Int?
    var delta: PlaylistVersion.Delta?

    /// Ignores what is not offered; nil for a part without its segment or an invalid number.
    static func read(_ query: FormFields, offered plan: LowLatencyPlan?, parts: Int) -> PlaylistDirectives? {
        guard let plan, !query.pairs.isEmpty else { return PlaylistDirectives.none }
        var directives = PlaylistDirectives()
        if plan.deltaUpdates != .none, let skip = query[DeliveryDirectives.skipParameter] {
            guard let skip = DeliveryDirectives.Skip(rawValue: skip) else { return nil }
            directives.delta = PlaylistVersion.Delta(
                skipsDateRanges: skip == .segmentsAndDateRanges && plan.deltaUpdates == .dateRanges
            )
        }
        guard plan.blocking else { return directives }
        let partText = query[DeliveryDirectives.partParameter]
        guard let segmentText = query[DeliveryDirectives.mediaSequenceParameter] else {
            return partText == nil ? directives : nil
        }
        guard let segment = UInt64(segmentText), segment < .max else { return nil }
        directives.segment = segment
        guard let partText else { return directives }
        guard let part = UInt32(partText) else { return nil }
        guard parts > 0 else { return directives }
        // Past the last part, the next segment's first is meant.
        directives.segment = part < parts ? segment : segment + 1
        directives.part = part < parts ? Int(part) : 0
        return directives
    }

    /// The channel must refuse to wait.
    func isTooFar(beyond edge: LiveEdge, timeline: ChannelTimeline) -> Bool {
        guard let segment else { return false }
        if segment > edge.newest &+ 2 { return true }
        guard let part, let length = timeline.partMicroseconds, segment > edge.newest else { return false }
        let parts = timeline.partsPerSegment
        let ahead = Int(segment - edge.newest - 1) * parts + part - (edge.parts - 1)
        return ahead > Int(BlockingRule.advancePartLimit(partTargetMicroseconds: length))
    }
}

struct SegmentListing: Sendable {
    let playlist: LivePlaylist
    let version: PlaylistVersion

    private var timeline: ChannelTimeline { playlist.timeline }
    private var rendition: LiveRendition { version.rendition }

    /// Parts are listed this near to the end (bis-22 section 6.2.2).
    private static let partTargetDurations: UInt64 = 3

    func segment(_ number: UInt64) -> MediaPlaylistWriter.Segment {
        let added = added(number)
        var segment = MediaPlaylistWriter.Segment(
            uri: uri(number, part: nil, added),
            durationMicroseconds: Int64(timeline.segmentSeconds) * 1_000_000
        )
        segment.programDate = timeline.programDate(of: number)
        if !rendition.isText {
            segment.map = MediaPlaylistWriter.Map(
                uri: added?.map.map(playlist.withToken) ?? playlist.uri("init.mp4", of: rendition)
            )
        }
        segment.isDiscontinuity = added?.isDiscontinuity ?? false
        segment.otherTags = added?.otherTags ?? []
        if isNearEdge(number) { segment.parts = parts(of: number, count: timeline.partsPerSegment, added) }
        return segment
    }

    var trailingParts: [MediaPlaylistWriter.Part] {
        let number = version.edge.newest &+ 1
        return parts(of: number, count: version.edge.parts, added(number))
    }

    /// Another kind of media may begin with the incomplete segment.
    var trailingTags: [String] {
        let number = version.edge.newest &+ 1
        guard version.edge.parts > 0, let added = added(number) else { return [] }
        guard added.isDiscontinuity else { return added.otherTags }
        let map = added.map ?? playlist.uri("init.mp4", of: rendition)
        return added.otherTags + [
            "#EXT-X-DISCONTINUITY", "#EXT-X-PROGRAM-DATE-TIME:\(timeline.programDate(of: number).iso8601)",
            "#EXT-X-MAP:URI=\"\(map)\"",
        ]
    }

    /// `isGone`: one that never comes.
    func hint(isGone: Bool) -> MediaPlaylistWriter.Hint {
        let number = version.edge.newest &+ 1
        let part = version.edge.parts
        let uri =
            isGone
            ? playlist.uri(PartName(segment: number, part: part, isGone: true).file, of: rendition)
            : uri(number, part: part, added(number))
        return MediaPlaylistWriter.Hint(kind: .part, uri: uri)
    }

    private func added(_ number: UInt64) -> AddedSegment? {
        playlist.stitched?.segment(number, of: rendition, view: version.view)
    }

    private func isNearEdge(_ number: UInt64) -> Bool {
        guard timeline.partsPerSegment > 0 else { return false }
        return version.edge.newest &- number < Self.partTargetDurations
    }

    private func parts(of number: UInt64, count: Int, _ added: AddedSegment?) -> [MediaPlaylistWriter.Part] {
        guard let duration = timeline.partMicroseconds, !rendition.isText else { return [] }
        return (0..<count).map { part in
            MediaPlaylistWriter.Part(
                uri: uri(number, part: part, added),
                durationMicroseconds: duration,
                // Frames refer to none before their second of the clip; sound never does.
                isIndependent: rendition.isAudio || Int64(part) * duration % 1_000_000 == 0
            )
        }
    }

    private func uri(_ number: UInt64, part: Int?, _ added: AddedSegment?) -> String {
        if !rendition.isText, let stem = added?.stem {
            return playlist.withToken(stem + (part.map { ".\($0)" } ?? "") + rendition.segmentSuffix)
        }
        let file = part.map { PartName(segment: number, part: $0).file } ?? "\(number)\(rendition.segmentSuffix)"
        return playlist.uri(file, of: rendition)
    }
}

/// In the folder of a rendition, or of an ad that is stitched into one.
enum LiveFile: Hashable, Sendable {
    case initialization
    case segment(UInt64)
    case part(PartName)

    var part: PartName? { if case .part(let name) = self { name } else { nil } }
}

extension LiveFile {
    /// `suffix` is that of segments.
    init?(_ name: Substring, suffix: String) {
        if name == "init.mp4" {
            self = .initialization
        } else if let part = PartName(file: name) {
            self = .part(part)
        } else if name.hasSuffix(suffix), let number = UInt64(name.dropLast(suffix.count)) {
            self = .segment(number)
        } else {
            return nil
        }
    }
}

struct PartName: Hashable, Sendable {
    let segment: UInt64
    let part: Int
    var isGone = false

    /// `gone` marks a part that never comes.
    var file: String { "\(segment).\(part)\(isGone ? ".gone" : "").m4s" }
}

extension PartName {
    init?(file: some StringProtocol) {
        var pieces = file.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.popLast() == "m4s" else { return nil }
        let isGone = pieces.last == "gone"
        if isGone { pieces.removeLast() }
        guard pieces.count == 2, let segment = UInt64(pieces[0]), let part = UInt16(pieces[1]) else { return nil }
        self.init(segment: segment, part: Int(part), isGone: isGone)
    }
}
