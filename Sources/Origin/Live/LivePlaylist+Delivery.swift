import HLS

extension LivePlaylist {
    /// CAN-SKIP-UNTIL; nil where there are no delta updates.
    var skipBoundary: Duration? {
        guard let lowLatency, lowLatency.deltaUpdates != .none else { return nil }
        return .seconds(timeline.segmentSeconds * LowLatencyPlan.skipBoundarySegments)
    }

    /// Adds what low-latency delivery puts into a playlist (bis-22 sections 4.4.3.7, 4.4.3.8, 4.4.5.3 and 4.4.5.4).
    func deliver(
        _ version: PlaylistVersion,
        by plan: LowLatencyPlan,
        _ content: SegmentListing,
        _ writer: inout MediaPlaylistWriter
    ) {
        // The same in all playlists, also in those without parts (bis-22 section 6.2.4).
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

    /// Whether the part that a playlist with this edge hints at never comes.
    func isHintGone(after edge: LiveEdge) -> Bool {
        guard let lowLatency, lowLatency.goneHintEvery > 0 else { return false }
        return edge.parts == 0 && (edge.newest &+ 1) % UInt64(lowLatency.goneHintEvery) == 0
    }

    private func serverControl(_ plan: LowLatencyPlan) -> MediaPlaylist.ServerControl {
        let part = plan.partDuration.map { plan.partHoldBack ?? $0 * 3 }
        return MediaPlaylist.ServerControl(
            holdBackSeconds: plan.holdBack.map { $0 / .seconds(1) },
            partHoldBackSeconds: part.map { $0 / .seconds(1) },
            canBlockReload: plan.blocking,
            canSkipUntilSeconds: skipBoundary.map { $0 / .seconds(1) },
            canSkipDateRanges: plan.deltaUpdates == .dateRanges
        )
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
}

extension LivePlaylist {
    /// The delta update of a playlist; nil where nothing is old enough to be left out, and the whole is then sent.
    ///
    /// bis-22 section 6.2.5.1.
    func shortened(
        _ full: MediaPlaylistWriter,
        version: PlaylistVersion,
        _ delta: PlaylistVersion.Delta
    ) -> [UInt8]? {
        guard let skipBoundary else { return nil }
        let listing = timeline.listing(at: version.edge)
        let boundary = listing.edge - skipBoundary
        let skipped = listing.segments.prefix { timeline.programDate(of: $0 &+ 1) <= boundary }.count
        guard skipped > 0 else { return nil }
        var writer = full
        writer.skippedSegments = UInt64(skipped)
        writer.segments.removeFirst(skipped)
        // A line that is not the whole playlist's, and breaks nothing else that a player looks at.
        if delta.isWrong, !writer.segments.isEmpty { writer.segments[0].durationMicroseconds -= 1_000 }
        if delta.skipsDateRanges, lowLatency?.deltaUpdates == .dateRanges {
            let history = DateRangeHistory(playlist: self, listing: listing, since: boundary)
            writer.dateRanges = history.recent
            writer.recentlyRemovedDateRanges = history.removed
        }
        return writer.render()
    }

    /// A media playlist of the channel as a client reads it, with its variables replaced; nil for a text that is none.
    func read(_ text: [UInt8]) -> MediaPlaylist? {
        let token = variables.token.map { "?\($0)=\(tokenValue)" } ?? ""
        let imported = variables.base.map { [$0: MultivariantListing.base] } ?? [:]
        let playlist = text.withUnsafeBytes {
            try? Playlist.parse($0, url: "http://origin/\(token)", importing: imported)
        }
        guard case .media(let media) = playlist else { return nil }
        return media
    }

    /// The comment line by which a client can tell whether its merged playlist is what the whole one is.
    func digestLine(of full: MediaPlaylistWriter) -> [UInt8] {
        guard let playlist = read(full.render()) else { return [] }
        return Array((DigestComment.line(playlist.contentDigest) + "\n").utf8)
    }
}

/// Which date ranges of a version are news to a client whose copy is at most as old as an instant.
private struct DateRangeHistory {
    /// Those that appeared or changed since.
    let recent: [DateRange]
    /// Identifiers of ranges that were listed since then and no longer are.
    let removed: [String]

    init(playlist: LivePlaylist, listing: ListedWindow, since instant: WallTime) {
        let timeline = playlist.timeline
        let current = playlist.dateRanges(listing)
        let listed = Set(current.map(\.id))
        var removed: [String] = []
        var seen = listed
        var known: [DateRange]?
        var edge = timeline.edge(at: instant)
        while let past = edge, timeline.publication(of: past) < listing.edge {
            let ranges = playlist.dateRanges(timeline.listing(at: past))
            if known == nil { known = ranges }
            for range in ranges where seen.insert(range.id).inserted { removed.append(range.id) }
            edge = timeline.edge(after: past)
        }
        let old = Set(known ?? [])
        // A later tag of an ID means nothing without the first one, so that both are sent again.
        let changed = Set(current.filter { !old.contains($0) }.map(\.id))
        recent = current.filter { changed.contains($0.id) }
        self.removed = removed
    }
}
