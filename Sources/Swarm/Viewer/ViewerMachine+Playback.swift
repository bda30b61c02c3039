import HLS
import LoadProfile
import Measurement

// The reload loops of the live channel: which playlists a viewer loads, and what it does with each version.
extension ViewerMachine {
    /// Where the viewer loads its live playlist from; empty until it has chosen a variant.
    package var playlistURL: String { self.playback.video.url }

    var facts: PlaybackFacts { self.plan.playbackFacts[Int(self.personaIndex)] }

    mutating func choseFrom(
        _ multivariant: SharedMultivariant,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.playback.downloadEnded()
        guard let variant = self.firstVariant(of: multivariant) else {
            self.contentFailed(plannedAt: now, reason: .unreadable, now: now, actions: &actions)
            return
        }
        self.playback.video.failures = 0
        self.playback.video.url = multivariant.url(of: .video, variant: variant)
        self.keep(multivariant, variant: variant, now: now)
        for rendition in PlayedRendition.allCases {
            self.load(rendition, plannedAt: now, actions: &actions)
        }
        self.beginSteering(multivariant, now: now, actions: &actions)
    }

    /// Index of the variant this viewer plays, of the channel and of pods alike; nil where there is none.
    func choice(of multivariant: MultivariantPlaylist) -> Int? {
        self.choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    /// The same among some of the variants.
    func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        let variants = multivariant.variants
        guard !indices.isEmpty else { return nil }
        switch self.plan.playback.variant {
        case .first: return indices.first
        case .highest: return indices.max { variants[$0].bandwidth < variants[$1].bandwidth }
        case .lowest: return indices.min { variants[$0].bandwidth < variants[$1].bandwidth }
        case .random:
            var own = ViewerChance(seed: self.plan.seed &+ 0x5641_5249, viewer: self.number)
            return indices[Int(own.next() % UInt64(indices.count))]
        }
    }

    /// What the timer of a loop asks for: this rendition, or all where the player loads them together.
    mutating func reload(_ rendition: PlayedRendition = .video, plannedAt: Int64, actions: inout [ViewerAction]) {
        guard !self.playback.video.url.isEmpty else {
            self.askForContent(plannedAt: plannedAt, actions: &actions)
            return
        }
        guard self.playback.keepsCourse, self.facts.reload.loadsRenditionsTogether else {
            self.load(rendition, plannedAt: plannedAt, actions: &actions)
            return
        }
        for one in PlayedRendition.allCases {
            self.load(one, plannedAt: plannedAt, actions: &actions)
        }
    }

    /// Asks for a rendition's playlist as soon as a download is free; one request of a loop is under way at a time.
    mutating func load(_ rendition: PlayedRendition, plannedAt: Int64, actions: inout [ViewerAction]) {
        guard self.isIdle(rendition) else { return }
        let facts = self.facts
        guard self.playback.downloads < facts.maximumDownloads else {
            self.playback.waiting |= rendition.bit
            return
        }
        self.playback.waiting &= ~rendition.bit
        self.playback.downloads += 1
        if !facts.isPlain, let wish = self.directives(for: self.playback[rendition], facts: facts, now: plannedAt) {
            self.ask(wish, rendition, plannedAt: plannedAt, actions: &actions)
            return
        }
        guard rendition == .video else {
            self.playback[rendition].isPlainNext = false
            self.playback[rendition].asked = .anything
            let url = self.playback[rendition].url
            let index = self.requestIndex(of: rendition)
            self.fetch(.playlist, url: url, plannedAt: plannedAt, index: index, actions: &actions)
            return
        }
        self.playback.video.isPlainNext = false
        self.playback.video.asked = .anything
        self.requestsInFlight += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    /// True where a rendition is played and no request for its playlist is under way.
    private func isIdle(_ rendition: PlayedRendition) -> Bool {
        switch rendition {
        case .video: !self.playback.video.url.isEmpty && !self.playback.video.isLoading
        case .audio, .subtitles: !self.playback[rendition].url.isEmpty && !self.playback[rendition].isLoading
        }
    }

    mutating func loaded(
        _ shared: SharedPlaylist,
        plannedAt: Int64,
        index: UInt8 = 0,
        age: Int32 = -1,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.playback.downloadEnded()
        guard let rendition = self.rendition(ofRequest: index) else {
            self.goOnLoading(now: now, actions: &actions)
            return
        }
        let (isNews, asked, before) = self.playback[rendition].take(shared, now: now)
        if asked.contains(.verification), let before {
            self.verify(shared, against: before, now: now, actions: &actions)
        }
        if !isNews, !asked.contains(.verification) {
            self.note(.unchangedPolls, &actions)
        }
        if rendition == .video {
            self.programmeLoaded(shared, after: before, isNews: isNews, now: now, actions: &actions)
        }
        let load = FinishedLoad(plannedAt: plannedAt, now: now, isNews: isNews, asked: asked, age: age)
        self.scheduleReload(of: rendition, shared, load, self.facts, actions: &actions)
        self.goOnLoading(now: now, actions: &actions)
    }

    /// What the first rendition's playlist says of the programme.
    private mutating func programmeLoaded(
        _ shared: SharedPlaylist,
        after before: SharedPlaylist?,
        isNews: Bool,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        if self.playback.video.url.isEmpty {
            // The content URL is the one media playlist of the channel.
            self.playback.video.url = self.contentURL ?? self.plan.contentURL
            self.beginLoadingMedia()
        }
        if self.phase == .joining {
            self.phase = .watching
            self.note(.startedWatching, &actions)
        }
        if self.playback.latency == nil {
            self.beginPlayback(shared, now: now)
        }
        guard isNews else { return }
        let isBufferedAsListed = !self.loadsContent
        if isBufferedAsListed, let before, before.edge != .min {
            self.settleStall(bufferedTo: before.edge, now: now, actions: &actions)
        }
        self.programmeChanged(shared, now: now, actions: &actions)
        if isBufferedAsListed {
            self.bufferAdvanced(now: now, actions: &actions)
        }
    }

    /// Starts what waits for a free download: playlists before segments.
    mutating func goOnLoading(now: Int64, actions: inout [ViewerAction]) {
        if self.playback.waiting != 0 {
            for rendition in PlayedRendition.allCases where self.playback.waiting & rendition.bit != 0 {
                self.load(rendition, plannedAt: now, actions: &actions)
            }
        }
        if self.loadsContent {
            self.loadMedia(now: now, actions: &actions)
        }
    }
}

// Requests of several loops and generations, told apart by their index.
extension ViewerMachine {
    /// The index that a request of a rendition's loop carries.
    package func requestIndex(of rendition: PlayedRendition) -> UInt8 {
        rendition.rawValue | self.playback[rendition].generation << 2
    }

    /// The rendition whose request carries this index; nil where another playlist has taken its place since.
    package func rendition(ofRequest index: UInt8) -> PlayedRendition? {
        guard index & 3 != 0 else { return self.playback.video.generation == index >> 2 ? .video : nil }
        guard let rendition = PlayedRendition(rawValue: index & 3) else { return nil }
        return self.playback[rendition].generation == index >> 2 ? rendition : nil
    }

    /// Which playlist a rendition's loop is at; another value means another URL.
    package func generation(of rendition: PlayedRendition) -> UInt8 { self.playback[rendition].generation }

    /// Where a rendition is loaded from; empty where it is not played.
    package func url(of rendition: PlayedRendition) -> String { self.playback[rendition].url }

    /// The version of a rendition's playlist that is in hand.
    package func latest(of rendition: PlayedRendition) -> SharedPlaylist? { self.playback[rendition].latest }

    /// The version that an answer to a rendition's request follows; nil where it will be the first of its playlist.
    package func version(before rendition: PlayedRendition) -> SharedPlaylist? {
        rendition == .video
            ? self.playback.video.isFresh ? nil : self.playback.video.latest
            : self.playback[rendition].isFresh ? nil : self.playback[rendition].latest
    }

    /// When a rendition's playlist last brought anything new, monotonic nanoseconds.
    func changedAt(of rendition: PlayedRendition) -> Int64 { self.playback[rendition].changedAt }

    /// Whether the viewer is still there to be told anything.
    var isPresent: Bool { self.phase != .leaving && self.phase != .gone }

    /// Whether the viewer asks how long an answer has been in caches.
    package var wantsAge: Bool { self.facts.lowLatency.blocking != .never }

    /// What the channel offers; nil where the viewer will not come back to it.
    package var multivariant: SharedMultivariant? {
        self.playback.keepsCourse ? self.playback.course.multivariant : nil
    }
}
