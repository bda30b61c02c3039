import HLS
import LoadProfile
import Measurement

/// What a viewer knows of the live channel.
struct PlaybackState: Sendable {
    /// URL of the chosen variant's media playlist; empty until chosen.
    var playlistURL = ""
    var latest: SharedPlaylist?
    /// How far this viewer's playhead is behind the wall clock; known from the first playlist on.
    var latency: Int64?
    /// Media sequence number of the next content segment to load.
    var nextSequence: UInt64?
    var isLoadingSegment = false
    /// The initialisation section in hand, as the playlist names it; another one is loaded before its segments.
    var loadedMap = ""
}

extension ViewerMachine {
    /// Where the viewer loads its live playlist from; empty until it has chosen a variant.
    package var playlistURL: String { self.playback.playlistURL }

    mutating func choseFrom(
        _ multivariant: SharedMultivariant,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard
            let variant = self.choice(of: multivariant.playlist),
            let playlistURL = multivariant.variantURLs[variant]
        else {
            self.loadFailed(plannedAt: now, now: now, actions: &actions)
            return
        }
        self.playback.playlistURL = playlistURL
        self.reload(plannedAt: now, actions: &actions)
    }

    /// Index of the variant this viewer plays, of the channel and of pods alike; nil where there is none.
    func choice(of multivariant: MultivariantPlaylist) -> Int? {
        let variants = multivariant.variants
        guard !variants.isEmpty else { return nil }
        switch self.plan.playback.variant {
        case .first: return 0
        case .highest: return variants.indices.max { variants[$0].bandwidth < variants[$1].bandwidth }
        case .lowest: return variants.indices.min { variants[$0].bandwidth < variants[$1].bandwidth }
        case .random:
            var own = ViewerChance(seed: self.plan.seed &+ 0x5641_5249, viewer: self.number)
            return Int(own.next() % UInt64(variants.count))
        }
    }

    mutating func reload(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard !self.playback.playlistURL.isEmpty else {
            self.askForContent(plannedAt: plannedAt, actions: &actions)
            return
        }
        self.requestsInFlight += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    mutating func loaded(_ shared: SharedPlaylist, plannedAt: Int64, now: Int64, actions: inout [ViewerAction]) {
        let isNews = shared.isNews(after: self.playback.latest)
        self.playback.latest = shared
        if self.playback.playlistURL.isEmpty {
            self.playback.playlistURL = self.contentURL ?? self.plan.contentURL
        }
        if self.phase == .joining {
            self.phase = .watching
            self.note(.startedWatching, &actions)
        }
        if self.playback.latency == nil {
            self.playback.latency = self.latency(behind: shared.playlist, now: now)
        }
        if !isNews {
            self.note(.unchangedPolls, &actions)
        } else {
            self.programmeChanged(shared, now: now, actions: &actions)
            self.loadNextSegment(now: now, actions: &actions)
        }
        guard let delay = shared.reloadDelay(self.plan.reloadRule.basis, isNews: isNews) else { return }
        // Measured from when the load began (bis-22 section 6.3.4), which for an open schedule is when it was due.
        actions.append(.schedule(.reload, at: max(plannedAt.later(by: delay), now)))
    }

    mutating func loadFailed(plannedAt: Int64, now: Int64, actions: inout [ViewerAction]) {
        let target = self.playback.latest?.playlist.targetDurationSeconds ?? 2
        let half = (Duration.seconds(target) / 2).nanosecondsHeld
        actions.append(.schedule(.reload, at: max(plannedAt.later(by: max(half, 500_000_000)), now)))
    }

    /// How far behind the wall clock the playhead starts: at HOLD-BACK, or three target durations, from the live edge.
    private func latency(behind playlist: MediaPlaylist, now: Int64) -> Int64 {
        let holdBackSeconds = playlist.serverControl?.holdBackSeconds ?? Double(playlist.targetDurationSeconds) * 3
        let holdBack = Int64(min(max(holdBackSeconds, 0), 86_400) * 1e9)
        guard let edge = playlist.endProgramDate else { return holdBack }
        return max(now &- self.plan.timebase.monotonic(edge), 0) &+ holdBack
    }
}

extension ViewerMachine {
    private var loadsContent: Bool {
        switch self.plan.playback.segments {
        case .content, .all: true
        case .none, .ads: false
        }
    }

    /// Loads the segment after the last one loaded, or the one at the start point when there is none.
    mutating func loadNextSegment(now: Int64, actions: inout [ViewerAction]) {
        guard
            self.loadsContent, !self.playback.isLoadingSegment, self.adBreak.playsContent,
            let shared = self.playback.latest
        else { return }
        let playlist = shared.playlist
        guard !playlist.segments.isEmpty else { return }
        let first = playlist.mediaSequence
        let end = first &+ UInt64(playlist.segments.count)
        var wanted = max(self.playback.nextSequence ?? self.startSequence(of: playlist), first)
        while wanted < end, let index = Int(exactly: wanted &- first) {
            let segment = playlist.segments[index]
            guard !segment.isGap else {
                wanted &+= 1
                self.playback.nextSequence = wanted
                continue
            }
            let reference = self.nextPart(of: segment, sequence: wanted, in: playlist)
            guard let url = URLReference.resolve(reference, against: shared.url) else { return }
            self.playback.isLoadingSegment = true
            self.fetch(.segment, url: url, plannedAt: now, actions: &actions)
            return
        }
    }

    /// The segment's initialisation section where another one is in hand, and otherwise the segment itself.
    private mutating func nextPart(
        of segment: MediaPlaylist.Segment,
        sequence: UInt64,
        in playlist: MediaPlaylist
    ) -> String {
        self.playback.nextSequence = sequence
        if let range = segment.mapURI {
            let map = playlist.string(in: range)
            guard map == self.playback.loadedMap else {
                self.playback.loadedMap = map
                return map
            }
        }
        self.playback.nextSequence = sequence &+ 1
        return playlist.uri(of: segment)
    }

    mutating func segmentFinished(now: Int64, actions: inout [ViewerAction]) {
        self.playback.isLoadingSegment = false
        self.loadNextSegment(now: now, actions: &actions)
    }

    /// Back to the live edge after a break: the segments that passed meanwhile are not loaded.
    mutating func rejoin(now: Int64, actions: inout [ViewerAction]) {
        self.note(.rejoinedLiveEdge, &actions)
        self.playback.nextSequence = nil
        self.loadNextSegment(now: now, actions: &actions)
    }

    private func startSequence(of playlist: MediaPlaylist) -> UInt64 {
        var remaining = Int64(clamping: playlist.targetDurationSeconds).multipliedReportingOverflow(by: 3_000_000)
            .partialValue
        var index = playlist.segments.count
        while index > 0, remaining > 0 {
            index -= 1
            remaining &-= playlist.segments[index].durationMicroseconds
        }
        return playlist.mediaSequence &+ UInt64(index)
    }
}
