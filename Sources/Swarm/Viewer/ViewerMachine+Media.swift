import HLS
import LoadProfile
import Measurement

// Segments and partial segments of the channel, where the profile has them loaded.
extension ViewerMachine {
    /// No more than this is loaded ahead of the playhead.
    private static let bufferGoal: Int64 = 30_000_000_000

    var loadsContent: Bool {
        switch self.plan.playback.segments {
        case .content, .all: true
        case .none, .ads: false
        }
    }

    /// Makes place for what is loaded of each rendition that is played.
    mutating func beginLoadingMedia() {
        guard self.loadsContent else { return }
        let missing = PlayedRendition.allCases.count - self.playback.course.loaders.count
        self.playback.course.loaders.append(contentsOf: repeatElement(MediaLoader(), count: max(missing, 0)))
    }

    /// Starts the next download of each rendition that has none under way.
    mutating func loadMedia(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.playsContent, self.playback.keepsCourse else { return }
        for rendition in PlayedRendition.allCases {
            let index = Int(rendition.rawValue)
            guard
                self.playback.course.loaders.indices.contains(index),
                self.playback.course.loaders[index].pending == .none,
                self.playback.downloads < self.facts.maximumDownloads,
                let shared = self.playback[rendition].latest, !self.playback[rendition].isFresh
            else { continue }
            self.loadNext(rendition, shared, now: now, actions: &actions)
        }
    }

    private mutating func loadNext(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        var loader = self.playback.course.loaders[Int(rendition.rawValue)]
        defer { self.playback.course.loaders[Int(rendition.rawValue)] = loader }
        guard loader.retryAt <= now else { return }
        while loader.find(in: shared.playlist, from: { self.startSequence(of: shared, after: $0, now: now) }) {
            guard let next = loader.next(in: shared.playlist) else { return }
            if let begin = next.beginsAt, let at = self.playheadInstant(of: begin),
                at &- Self.bufferGoal > now, self.playback.pausedAt == nil
            {
                actions.append(.schedule(.buffering, at: at &- Self.bufferGoal))
                return
            }
            guard let url = URLReference.resolve(next.reference, against: shared.url) else { return }
            loader.pendingEnd = next.endsAt?.microseconds ?? .min
            guard !loader.takesHinted(url) else { continue }
            if next.pending == .map { loader.loadedMap = next.reference }
            loader.pending = next.pending
            self.download(next.pending, rendition, url: url, now: now, actions: &actions)
            return
        }
        self.loadEdge(rendition, shared, &loader, now: now, actions: &actions)
    }

    /// At the live edge: parts of the segment that is being made, and the one that the playlist hints at.
    private mutating func loadEdge(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ loader: inout MediaLoader,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let facts = self.facts.lowLatency
        guard facts.blocking != .never, shared.playlist.partTargetMicroseconds != nil else { return }
        while let part = loader.trailingPart(in: shared.playlist) {
            guard let url = URLReference.resolve(part.reference, against: shared.url) else { return }
            loader.pendingEnd = part.endsAt?.microseconds ?? .min
            guard !loader.takesHinted(url) else { continue }
            loader.pending = .part
            self.download(.part, rendition, url: url, now: now, actions: &actions)
            return
        }
        guard
            facts.loadsHints, loader.hint.isEmpty,
            let hint = shared.playlist.preloadHints.first(where: { $0.kind == .part && $0.byteRangeStart == 0 }),
            let url = URLReference.resolve(shared.playlist.string(in: hint.uri), against: shared.url)
        else { return }
        loader.hint = url
        loader.pending = .hint
        self.download(.hint, rendition, url: url, now: now, actions: &actions)
    }

    private mutating func download(
        _ what: MediaLoader.Pending,
        _ rendition: PlayedRendition,
        url: String,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.playback.downloads += 1
        let role: ViewerRole = what == .part || what == .hint ? .part : .segment
        self.fetch(role, url: url, plannedAt: now, index: self.requestIndex(of: rendition), actions: &actions)
    }

    /// A segment or part was answered; nil says that it came.
    mutating func mediaFinished(
        index: UInt8,
        failure: LoadFailure?,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.playback.downloadEnded()
        if let rendition = self.rendition(ofRequest: index), self.playback.keepsCourse,
            self.playback.course.loaders.indices.contains(Int(rendition.rawValue))
        {
            let end = self.bufferEnd
            self.settle(rendition, failure: failure, now: now, actions: &actions)
            if let moved = self.bufferEnd, moved != end {
                if self.playback.course.startsAt == .min {
                    self.settleStall(bufferedTo: end, now: now, actions: &actions)
                } else {
                    self.startWithMedia(now: now, actions: &actions)
                }
                self.bufferAdvanced(now: now, actions: &actions)
            }
        }
        self.goOnLoading(now: now, actions: &actions)
    }

    private mutating func settle(
        _ rendition: PlayedRendition,
        failure: LoadFailure?,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        var loader = self.playback.course.loaders[Int(rendition.rawValue)]
        defer { self.playback.course.loaders[Int(rendition.rawValue)] = loader }
        let pending = loader.pending
        loader.pending = .none
        if pending == .hint {
            self.note(failure == nil ? .hintsUsed : .hintsGone, &actions)
            loader.holdsHint = failure == nil
            return
        }
        guard let failure else {
            loader.failures = 0
            loader.advance(past: pending)
            return
        }
        loader.failures &+= 1
        if let wait = self.facts.segment.wait(after: failure, failures: loader.failures, chance: &self.chance) {
            if pending == .map { loader.loadedMap = "" }
            loader.retryAt = now.later(by: wait)
            if wait > 0 { actions.append(.schedule(.retry, at: loader.retryAt)) }
            return
        }
        // Given up: playback jumps over the hole.
        loader.failures = 0
        loader.advance(past: pending)
    }

    /// Whether what a rendition loads is a segment, or what it begins with, that is listed still at a moment.
    ///
    /// By the newest version in hand; since that may be old, only for as long as the segments up to this one last.
    func awaitsListedSegment(of rendition: PlayedRendition, at now: Int64) -> Bool {
        guard
            self.playback.keepsCourse, self.playback.course.loaders.indices.contains(Int(rendition.rawValue)),
            let shared = self.version(before: rendition)
        else { return false }
        let loader = self.playback.course.loaders[Int(rendition.rawValue)]
        let playlist = shared.playlist
        let first = playlist.mediaSequence(at: 0)
        guard
            loader.pending == .segment || loader.pending == .map, let sequence = loader.sequence, sequence >= first,
            playlist.segments.indices.contains(Int(clamping: sequence &- first))
        else { return false }
        guard shared.isReloaded else { return true }
        let reach = playlist.segments[...Int(clamping: sequence &- first)]
            .reduce(Int64(0)) { $0.later(by: $1.durationMicroseconds) }
        return now <= self.changedAt(of: rendition).later(by: min(reach, 86_400_000_000) &* 1_000)
    }

    /// Back to the programme after a break: what passed meanwhile is not loaded.
    mutating func rejoin(now: Int64, actions: inout [ViewerAction]) {
        self.note(.rejoinedLiveEdge, &actions)
        guard self.playback.keepsCourse, !self.playback.course.loaders.isEmpty else { return }
        if let latency = self.playback.latency, (self.playback.latest?.edge ?? .min) != .min {
            self.playback.course.startsAt = self.plan.timebase.wall(now.later(by: -latency)).microseconds
        }
        for index in self.playback.course.loaders.indices {
            self.playback.course.loaders[index].reset()
        }
        self.loadMedia(now: now, actions: &actions)
    }

    /// The segment to begin with: where loading left off in another variant, or at the start point.
    private func startSequence(of shared: SharedPlaylist, after loadedEnd: Int64, now: Int64) -> UInt64 {
        let playlist = shared.playlist
        let date = loadedEnd != .min ? WallTime(microseconds: loadedEnd) : self.startDate(now: now)
        if let date, let index = playlist.segment(at: date) {
            return playlist.mediaSequence(at: index)
        }
        let facts = self.facts
        var rest = shared.startDistance(facts.start, isLowLatency: facts.lowLatency.blocking != .never) / 1000
        var index = playlist.segments.count
        while index > 0, rest > 0 {
            index -= 1
            rest &-= playlist.segments[index].durationMicroseconds
        }
        return playlist.mediaSequence(at: index)
    }

    private func startDate(now: Int64) -> WallTime? {
        let date = self.playback.course.startsAt
        return date == .min
            ? self.playback.latency.map { self.plan.timebase.wall(now.later(by: -$0)) } : WallTime(microseconds: date)
    }
}

extension MediaPlaylist {
    /// Index of the segment that a date of the programme lies in; the number of segments where it lies past the edge,
    /// nil where there are no dates.
    fileprivate func segment(at date: WallTime) -> Int? {
        guard let edge = self.endProgramDate else { return nil }
        // Dates are rounded, and a boundary belongs to what follows it.
        let wanted = WallTime(microseconds: date.microseconds.later(by: 1_000))
        guard wanted < edge else { return self.segments.count }
        var index = self.segments.count - 1
        while index > 0, let begin = self.programDate(at: index), begin > wanted { index -= 1 }
        return index
    }
}
