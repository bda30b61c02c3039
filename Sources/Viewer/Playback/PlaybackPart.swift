import AdServing
import HLS
import Profile
import Rules
import Values

/// Decides which playlists and segments of the live channel a viewer loads and when, and where its playhead is.
struct PlaybackPart: Sendable {
    /// Only for viewers that do more than poll one playlist.
    private struct Course: Sendable {
        var audio = ReloadLoop()
        var subtitles = ReloadLoop()
        var choice = OptionalBox<ChannelChoice>()
        var pace = ReloadPace()
        var dateShift: DateShift?
    }

    var video = ReloadLoop()
    var downloads = Downloads()
    var playhead = Playhead()
    /// Ads of the viewer's own pod play; the programme continues unseen, and nothing of it is loaded until the viewer rejoins.
    var isReplaced = false
    /// Nanoseconds of the channel's clock behind this machine's, from the viewer's first playlist.
    var clockLag = Int64(0)
    /// Nil without segment loading; the buffer then ends with the last listed segment.
    var loading = OptionalBox<ProgrammeLoading>()
    private var kept = OptionalBox<Course>()

    subscript(rendition: PlayedRendition) -> ReloadLoop {
        get {
            switch rendition {
            case .video: video
            case .audio: kept.isEmpty ? ReloadLoop() : kept[default: Course()].audio
            case .subtitles: kept.isEmpty ? ReloadLoop() : kept[default: Course()].subtitles
            }
        }
        _modify {
            switch rendition {
            case .video: yield &video
            case .audio: yield &kept[default: Course()].audio
            case .subtitles: yield &kept[default: Course()].subtitles
            }
        }
    }

    /// Nil until program dates jump.
    var dateShift: DateShift? {
        get { kept.isEmpty ? nil : kept[default: Course()].dateShift }
        set { kept[default: Course()].dateShift = newValue }
    }

    /// Before that, the viewer requests the channel.
    var hasContent: Bool { !video.url.isEmpty }

    mutating func askForContent(_ url: String?, turn: inout Turn) {
        guard let url, !downloads.isOver else { return }
        downloads.begin()
        if video.isFailing { turn.count(.retries) }
        turn.fetch(.multivariant, url: url, plannedAt: turn.now)
    }

    mutating func chose(from multivariant: SharedMultivariant, turn: inout Turn) {
        downloads.end()
        let among = multivariant.variants(onPathway: multivariant.firstPathway)
        guard let variant = turn.choice(of: multivariant.playlist, among: among),
            multivariant.variantURLs[variant] != nil
        else {
            contentFailed(.unreadable, plannedAt: turn.now, turn: &turn)
            return
        }
        video.begin(at: multivariant.url(of: .video, variant: variant))
        keep(multivariant, variant: variant, turn: &turn)
        for rendition in PlayedRendition.allCases { load(rendition, plannedAt: turn.now, turn: &turn) }
        move(to: changeChoice { $0.beginSteering(turn: &turn) } ?? nil, turn: &turn)
    }

    /// Keeps the channel's offer if the viewer may change its variant, or may be asked what it plays.
    private mutating func keep(_ multivariant: SharedMultivariant, variant: Int, turn: inout Turn) {
        let plan = turn.plan.playback
        let audio = plan.plays(.audio) ? multivariant.url(of: .audio, variant: variant) : ""
        let subtitles = plan.plays(.subtitles) ? multivariant.url(of: .subtitles, variant: variant) : ""
        let comesBack =
            plan.switchEvery != nil || turn.playerFacts.persona.reload.stuckAfterTargets != nil
            || multivariant.playlist.contentSteering != nil
            || turn.playerFacts.persona.outage.leavesVariants && multivariant.playlist.variants.count > 1
            || !multivariant.exports.isEmpty || turn.plan.breaks.recognisesStitched
            || !audio.isEmpty || !subtitles.isEmpty
        if comesBack {
            let choice = ChannelChoice(multivariant, variant: variant, turn: &turn)
            kept[default: Course()].choice.value = choice
            self[.audio].begin(at: audio)
            self[.subtitles].begin(at: subtitles)
        }
        if plan.loadsContent { beginLoading() }
    }

    /// Another channel of the same kind follows.
    mutating func leaveContent(turn: inout Turn) {
        for rendition in PlayedRendition.allCases where !self[rendition].url.isEmpty {
            self[rendition].move(to: "")
            turn.cancel(rendition.timer)
        }
        for rendition in PlayedRendition.allCases { _ = loading.change { $0[rendition].moveToOtherPlaylist() } }
        downloads.stopWaiting()
        guard !kept.isEmpty else { return }
        changeChoice { $0.stopSteering() }
        turn.cancel(.steering)
    }

    mutating func reload(_ rendition: PlayedRendition, turn: inout Turn) {
        let isFailing = rendition == .video ? video.isFailing : self[rendition].isFailing
        if isFailing, endsDry(rendition, turn: &turn) { return }
        guard !kept.isEmpty, turn.playerFacts.persona.reload.loadsRenditionsTogether else {
            load(rendition, plannedAt: turn.now, turn: &turn)
            return
        }
        for one in PlayedRendition.allCases { load(one, plannedAt: turn.now, turn: &turn) }
    }

    /// Waits for a free download; a loop has one open request at a time.
    mutating func load(_ rendition: PlayedRendition, plannedAt: Instant, turn: inout Turn) {
        guard rendition == .video ? video.isIdle : self[rendition].isIdle, !downloads.isOver else { return }
        let facts = turn.playerFacts
        guard downloads.isFree(of: facts.maximumDownloads) else {
            downloads.wait(for: rendition)
            return
        }
        downloads.stopWaiting(rendition)
        downloads.begin()
        if rendition == .video ? video.isFailing : self[rendition].isFailing { turn.count(.retries) }
        if !facts.isPlain, let wish = self[rendition].directives(facts.persona.lowLatency, now: plannedAt) {
            return ask(rendition, .anything, wish, plannedAt: plannedAt, turn: &turn)
        }
        guard rendition == .video else { return ask(rendition, plannedAt: plannedAt, turn: &turn) }
        video.ask(.anything)
        turn.poll(plannedAt: plannedAt)
    }

    /// `wish`: nil for the full playlist at once.
    private mutating func ask(
        _ rendition: PlayedRendition,
        _ asked: ReloadLoop.Asked = .anything,
        _ wish: DeliveryDirectives? = nil,
        plannedAt: Instant,
        turn: inout Turn
    ) {
        var asked = asked
        if wish?.mediaSequence != nil {
            asked.insert(.blocking)
            turn.count(.blockingReloads)
        }
        if wish?.skip != nil { asked.insert(.delta) }
        self[rendition].ask(asked)
        let url = self[rendition].url
        turn.fetch(
            asked.contains(.blocking) ? .blockingPlaylist : .playlist,
            url: wish?.url(url, inOrder: turn.playerFacts.persona.lowLatency.sortsParameters) ?? url,
            plannedAt: plannedAt,
            index: self[rendition].requestIndex(rendition)
        )
    }

    /// `goOn` with the returned load comes next, after the breaks were told the news.
    ///
    /// The load is nil if another playlist has replaced this one. `age` is the seconds that the answer says it spent in caches.
    /// `contentURL` is read only while the viewer has no content yet. `own` is masked in findings about a merge.
    mutating func loaded(
        _ shared: SharedPlaylist,
        plannedAt: Instant,
        index: UInt8,
        age: UInt8,
        contentURL: String,
        own: StreamID?,
        turn: inout Turn
    ) -> (news: ProgrammeNews, load: FinishedLoad?) {
        downloads.end()
        guard let rendition = rendition(ofRequest: index) else { return ([], nil) }
        let (isNews, asked, before) = self[rendition].take(shared, now: turn.now)
        if asked.contains(.verification), let before { turn.verify(shared, against: before, own: own) }
        if !isNews, !asked.contains(.verification) { turn.count(.unchangedPolls) }
        let load = FinishedLoad(plannedAt: plannedAt, isNews: isNews, asked: asked, age: age)
        guard rendition == .video else { return ([], load) }
        if video.url.isEmpty {
            // The content URL is the channel's only media playlist.
            video.begin(at: contentURL)
            if turn.plan.playback.loadsContent { beginLoading() }
        }
        return (programmeLoaded(shared, after: before, isNews: isNews, turn: &turn), load)
    }

    private mutating func programmeLoaded(
        _ shared: SharedPlaylist,
        after before: SharedPlaylist?,
        isNews: Bool,
        turn: inout Turn
    ) -> ProgrammeNews {
        // Read before the dates of the new version count.
        let end = before.map { CarriedDates(shared: $0, shift: dateShift?.ahead ?? 0) }?.edge
        carryDates(from: before, to: shared)
        beginPlaying(shared, turn)
        guard isNews else { return [] }
        // Without segment loading, the buffer ends where the listing ends.
        guard !turn.plan.playback.loadsContent else { return .versionChanged }
        var news: ProgrammeNews = [.versionChanged, .bufferAdvanced]
        if settleStall(bufferedTo: end, turn: &turn) { news.insert(.playheadShifted) }
        return news
    }

    /// Comes after the breaks were told the news.
    mutating func goOn(after load: FinishedLoad?, of shared: SharedPlaylist, index: UInt8, turn: inout Turn) {
        if let load, !downloads.isOver, let rendition = rendition(ofRequest: index) {
            scheduleReload(of: rendition, shared, load, turn: &turn)
        }
        goOnLoading(&turn)
    }

    /// Loads the full playlist if a delta update does not fit the version in hand (bis-22 section 6.3.7).
    mutating func deltaUnusable(plannedAt: Instant, index: UInt8, turn: inout Turn) {
        guard let rendition = rendition(ofRequest: index), self[rendition].asked.contains(.delta) else {
            // Not requested, so it counts as no playlist.
            loadFailed(.unreadable, plannedAt: plannedAt, index: index, turn: &turn)
            return
        }
        downloads.end()
        turn.count(.deltaRefetches)
        self[rendition].asked = []
        self[rendition].goPlain()
        load(rendition, plannedAt: turn.now, turn: &turn)
        goOnLoading(&turn)
    }

    /// Playlists come before segments.
    mutating func goOnLoading(_ turn: inout Turn) {
        if downloads.hasWaiting {
            for rendition in PlayedRendition.allCases where downloads.isWaiting(rendition) {
                load(rendition, plannedAt: turn.now, turn: &turn)
            }
        }
        loadMedia(&turn)
    }

    private mutating func scheduleReload(
        of rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        turn: inout Turn
    ) {
        let facts = turn.playerFacts
        if facts.isPlain {
            guard let delay = shared.reloadDelay(facts.persona.reload, isNews: load.isNews, isNearEdge: false)
            else { return }
            // Measured from when the load began (bis-22 section 6.3.4), which for an open schedule is when it was due.
            turn.schedule(rendition.timer, at: max(load.plannedAt.later(by: delay), turn.now))
            switchIfDue(rendition, turn: &turn)
            return
        }
        if leavesStuckPlaylist(rendition, shared, load, turn: &turn) { return }
        if switchIfDue(rendition, turn: &turn) { return }
        if goesOnBlocking(rendition, shared, load, turn: &turn) { return }
        let isNearEdge = isNearEdge(of: shared, turn)
        guard let delay = shared.reloadDelay(facts.persona.reload, isNews: load.isNews, isNearEdge: isNearEdge)
        else { return }
        schedule(rendition, delay: delay, load, turn: &turn)
    }

    private mutating func schedule(_ rendition: PlayedRendition, delay: Int64, _ load: FinishedLoad, turn: inout Turn) {
        let facts = turn.playerFacts.persona.reload
        var delay = delay
        if facts.loadsRenditionsTogether {
            // Requests that the server holds are not waited for.
            let others = PlayedRendition.allCases.contains { self[$0].isLoading && !self[$0].asked.contains(.blocking) }
            let isLast = !others && !downloads.hasWaiting
            guard let shared = kept[default: Course()].pace.together(delay, isLast: isLast) else { return }
            delay = shared
        }
        let at: Instant
        switch facts.clock {
        case .loadStart: at = load.plannedAt.later(by: delay)
        case .completion: at = turn.now.later(by: delay)
        case .smoothedCompletion:
            let took = kept[default: Course()].pace.smoothed(turn.now &- load.plannedAt)
            at = turn.now.later(by: delay).earlier(by: took)
        }
        turn.schedule(facts.loadsRenditionsTogether ? .reload : rendition.timer, at: max(at, turn.now))
    }

    private mutating func leavesStuckPlaylist(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        turn: inout Turn
    ) -> Bool {
        guard let targets = turn.playerFacts.persona.reload.stuckAfterTargets, !load.isNews, shared.isReloaded,
            rendition == .video
        else { return false }
        let since = Double(turn.now &- video.changedAt)
        guard since >= targets * Double(shared.targetNanoseconds) else { return false }
        // Restarts the time for which an unchanged playlist is tolerated.
        video.changedAt = turn.now
        return switchVariant(turn: &turn)
    }

    /// Requests the next version at once if the server will hold the request; false leaves it to the clock.
    private mutating func goesOnBlocking(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        turn: inout Turn
    ) -> Bool {
        let facts = turn.playerFacts.persona.lowLatency
        guard facts.blocking != .never || facts.skip != .never else { return false }
        self[rendition].tune(
            // A load that only verifies a merge does not show whether the channel advances.
            hasAdvanced: load.isNews || load.asked.contains(.verification),
            age: load.asked.contains(.blocking) ? 0 : load.age
        )
        if load.asked.contains(.delta), shared.isMerged {
            turn.countMerge(shared)
            let share = turn.plan.playback.verifyDeltaShare
            if share > 0, turn.chance.happens(share) {
                downloads.begin()
                ask(rendition, [.anything, .verification], plannedAt: turn.now, turn: &turn)
                return true
            }
        }
        guard self[rendition].directives(facts, now: turn.now)?.mediaSequence != nil else { return false }
        guard load.asked.contains(.blocking), !load.isNews else {
            self.load(rendition, plannedAt: turn.now, turn: &turn)
            return true
        }
        // The server did not hold the request.
        turn.schedule(rendition.timer, at: turn.now.later(by: shared.pauseAfterNoHold))
        return true
    }

    @discardableResult
    private mutating func switchIfDue(_ rendition: PlayedRendition, turn: inout Turn) -> Bool {
        guard rendition == .video, changeChoice({ $0.isSwitchDue(turn: &turn) }) == true else { return false }
        return switchVariant(turn: &turn)
    }

    /// False if the playlist stays the same.
    mutating func switchVariant(turn: inout Turn) -> Bool {
        guard let variant = changeChoice({ $0.otherVariant(turn: &turn) }) ?? nil else { return false }
        turn.count(.variantSwitches)
        let generation = video.generation
        move(to: variant, turn: &turn)
        return video.generation != generation
    }

    /// Keeps playlists that both variants share; `pause` is the nanoseconds until the first load of the others.
    mutating func move(to variant: Int?, after pause: Int64 = 0, turn: inout Turn) {
        guard let variant else { return }
        changeChoice { $0.variant = variant }
        guard let multivariant = choice?.multivariant else { return }
        for rendition in PlayedRendition.allCases where turn.plan.playback.plays(rendition) {
            let url = multivariant.url(of: rendition, variant: variant)
            guard url != self[rendition].url else { continue }
            self[rendition].move(to: url)
            downloads.stopWaiting(rendition)
            _ = loading.change { $0[rendition].moveToOtherPlaylist() }
            guard pause == 0 else {
                turn.schedule(rendition.timer, at: turn.now.later(by: pause))
                continue
            }
            turn.cancel(rendition.timer)
            load(rendition, plannedAt: turn.now, turn: &turn)
        }
    }

    mutating func askForSteering(turn: inout Turn) {
        guard !downloads.isOver else { return }
        changeChoice { $0.askForSteering(turn: &turn) }
    }

    mutating func steered(_ manifest: SharedSteering, turn: inout Turn) {
        move(to: changeChoice { $0.steered(manifest, turn: &turn) } ?? nil, turn: &turn)
    }

    @discardableResult
    mutating func changeChoice<Result>(_ body: (inout ChannelChoice) -> Result) -> Result? {
        guard !kept.isEmpty else { return nil }
        return kept[default: Course()].choice.change(body)
    }

    mutating func loadMedia(_ turn: inout Turn) {
        guard !loading.isEmpty, !isReplaced, !downloads.isOver else { return }
        let playhead = playhead
        for rendition in PlayedRendition.allCases {
            guard let shared = self[rendition].versionBefore, downloads.isFree(of: turn.playerFacts.maximumDownloads)
            else { continue }
            let (index, dates) = (self[rendition].requestIndex(rendition), dates(of: shared))
            let hasBegun = loading.change { loading in
                let circumstances = MediaLoader.Circumstances(
                    playhead: playhead,
                    startsAt: loading.startsAt,
                    dates: dates,
                    keys: loading.keys(for: rendition, turn.persona.keys),
                    index: index
                )
                return loading[rendition].loadNext(circumstances, turn: &turn)
            }
            if hasBegun == true { downloads.begin() }
        }
    }

    var latest: SharedPlaylist? { video.latest }

    /// Nil without dates.
    var listedUntil: WallTime? {
        guard let latest, dateShift != nil else { return latest?.edge }
        return dates(of: latest).edge
    }

    func rendition(ofRequest index: UInt8) -> PlayedRendition? {
        guard index & 3 != 0 else { return video.isCurrent(index) ? .video : nil }
        return PlayedRendition(rawValue: index & 3).flatMap { self[$0].isCurrent(index) ? $0 : nil }
    }

    func requestIndex(of rendition: PlayedRendition) -> UInt8 {
        rendition == .video ? video.requestIndex(.video) : self[rendition].requestIndex(rendition)
    }

    var choice: ChannelChoice? { kept.isEmpty ? nil : kept[default: Course()].choice.value }

    func awaitsListedSegment(of rendition: PlayedRendition, at now: Instant) -> Bool {
        guard let shared = self[rendition].versionBefore else { return false }
        let since = self[rendition].changedAt
        return loading.value?[rendition].awaitsListedSegment(of: shared, since: since, at: now) ?? false
    }
}
