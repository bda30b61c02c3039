import HLS

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
    var view: UInt64 = 0

    var isNone: Bool { self == .none }
    var blocks: Bool { segment != nil }

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
