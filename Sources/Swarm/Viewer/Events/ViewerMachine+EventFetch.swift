import AdServing
import HLS
import LoadProfile
import Measurement

// When an interstitial's content is asked for, and what follows when that fails.
extension ViewerMachine {
    /// Does all that is due now about the viewer's interstitials, and sets the timers for the rest.
    mutating func progressEvents(now: Int64, actions: inout [ViewerAction]) {
        guard self.events.isInUse, self.phase == .watching || self.phase == .inBreak else { return }
        self.progressStitched(now: now, actions: &actions)
        self.seekWhereDue(now: now, actions: &actions)
        // Each step moves one interstitial on; more steps than these there cannot be at one moment.
        for _ in 0..<(EventState.keptEntries * 4) {
            self.giveUpWhatIsOverdue(now: now, actions: &actions)
            self.askWhatIsDue(now: now, actions: &actions)
            if self.beginWhatIsDue(now: now, actions: &actions) { continue }
            guard self.playCurrent(now: now, actions: &actions) else { break }
        }
        self.setEventTimers(now: now, actions: &actions)
    }

    // MARK: Timers

    private mutating func setEventTimers(now: Int64, actions: inout [ViewerAction]) {
        var fetchAt = self.events.state.seekAt
        var startAt = Int64.max
        for index in self.events.state.entries.indices {
            let entry = self.events.state.entries[index]
            guard entry.phase != .over else { continue }
            fetchAt = min(fetchAt, entry.resolution.deadline, entry.resolution.retryAt)
            for asset in entry.assets {
                fetchAt = min(fetchAt, asset.attempts.deadline, asset.attempts.retryAt)
            }
            if entry.isUnasked {
                fetchAt = min(fetchAt, self.fetchInstant(of: entry, now: now).at)
            }
            if entry.isAhead, self.events.current == nil, let at = self.startInstant(of: entry, now: now) {
                startAt = min(startAt, at)
            }
        }
        self.setTimer(.eventFetch, at: fetchAt, held: \.fetchTimerAt, now: now, &actions)
        startAt = min(startAt, self.nextStitchedInstant)
        self.setTimer(.eventStart, at: startAt, held: \.startTimerAt, now: now, &actions)
        self.setTimer(.eventEnd, at: self.nextPlayInstant(), held: \.endTimerAt, now: now, &actions)
    }

    private mutating func setTimer(
        _ timer: ViewerTimer,
        at instant: Int64,
        held: WritableKeyPath<EventState, Int64>,
        now: Int64,
        _ actions: inout [ViewerAction]
    ) {
        // What was due by now is done, or waits for something else than time.
        let instant = instant <= now ? .max : instant
        guard self.events.state[keyPath: held] != instant else { return }
        self.events.state[keyPath: held] = instant
        actions.append(instant == .max ? .cancel(timer) : .schedule(timer, at: instant))
    }

    /// A timer of the interstitials fired.
    mutating func eventTimerFired(_ timer: ViewerTimer, now: Int64, actions: inout [ViewerAction]) {
        switch timer {
        case .eventFetch: self.events.state.fetchTimerAt = .max
        case .eventStart: self.events.state.startTimerAt = .max
        default: self.events.state.endTimerAt = .max
        }
        self.progressEvents(now: now, actions: &actions)
    }

    // MARK: Instants

    /// When the playhead reaches an interstitial; nil while that cannot be told.
    func startInstant(of entry: EventEntry, now: Int64) -> Int64? {
        guard let start = entry.start else { return nil }
        guard let current = self.events.current else {
            return entry.event.isPreRoll || entry.joinedAt != nil ? entry.knownAt : self.playheadInstant(of: start)
        }
        guard let index = self.events.state.currentIndex, let end = self.expectedEnd(of: index, current) else {
            return nil
        }
        if start == self.events.state.entries[index].start { return end.at }
        guard start + Self.dateTolerance >= end.resumesAt else { return nil }
        return end.at.later(by: start.duration(since: end.resumesAt).nanosecondsHeld)
    }

    /// When an interstitial's content is to be asked for by the persona's trigger, and whether a preload range decides it.
    private func fetchInstant(of entry: EventEntry, now: Int64) -> (at: Int64, isPreload: Bool) {
        let ordinary = self.ordinaryFetchInstant(of: entry, now: now)
        guard let point = entry.preloadPoint, self.events.current == nil,
            let preloadAt = self.playheadInstant(of: point),
            preloadAt < ordinary
        else { return (ordinary, false) }
        return (preloadAt, true)
    }

    /// The same without a preload range.
    private func ordinaryFetchInstant(of entry: EventEntry, now: Int64) -> Int64 {
        guard entry.phase == .scheduled else { return .max }
        guard !entry.event.isPreRoll, entry.joinedAt == nil else { return entry.knownAt }
        let startAt = self.startInstant(of: entry, now: now)
        let latest = startAt ?? .max
        guard let start = entry.start else { return .max }
        switch self.persona.interstitials.trigger {
        case .never: return .max
        case .discovery: return entry.knownAt
        case .buffered: return self.hasBuffered(until: start) ? entry.knownAt : latest
        case .bufferedOrEdge(let lookAhead):
            return self.hasBuffered(until: start) || self.isNearEdge(start, lookAhead: lookAhead)
                ? entry.knownAt : latest
        case .playhead(let ahead):
            return startAt.map { $0.later(by: -ahead.nanosecondsHeld) } ?? .max
        case .playheadTargets(let targets):
            let target = Double(self.playback.latest?.playlist.targetDurationSeconds ?? 0)
            return startAt.map { $0.later(by: -Int64(min(max(target * targets, 0), 86_400) * 1e9)) } ?? .max
        }
    }

    /// Live, with the buffer to within a target duration of the edge, and the break less than `lookAhead` past the edge.
    private func isNearEdge(_ start: WallTime, lookAhead: Duration) -> Bool {
        guard let playlist = self.playback.latest?.playlist, !playlist.hasEndList, let edge = playlist.endProgramDate
        else { return false }
        return start < edge + lookAhead && self.hasBuffered(until: edge - .seconds(playlist.targetDurationSeconds))
    }

    // MARK: Preload ranges

    /// Draws the point of a preload range at which the content is asked for (bis-22 appendix F).
    ///
    /// The range begins no earlier than the playhead and ends no later than when the content would be asked for anyway;
    /// while an interstitial is played, neither is known, as the playhead stands still and then jumps.
    private mutating func drawPreloadPoint(_ index: Int, now: Int64) {
        let entry = self.events.state.entries[index]
        guard !entry.hasDrawnPreload, self.events.current == nil, let preload = entry.event.preload,
            let playhead = self.playheadDate(at: now), self.playback.latest?.playlist.hasEndList == false
        else { return }
        guard self.persona.interstitials.preload != .ignored else { return }
        self.events.state.entries[index].hasDrawnPreload = true
        let fraction: Double =
            switch self.persona.interstitials.preload {
            case .ignored, .rangeStart: 0
            case .randomPoint: self.chance.unit()
            }
        self.events.state.entries[index].preloadPoint = preload.loadDate(
            fraction: fraction,
            playhead: playhead,
            latest: self.ordinaryPlayheadDate(of: entry, playhead: playhead, now: now)
        )
    }

    /// Where the playhead will be when the content would be asked for without a preload range.
    private func ordinaryPlayheadDate(of entry: EventEntry, playhead: WallTime, now: Int64) -> WallTime {
        let at = self.ordinaryFetchInstant(of: entry, now: now)
        guard at != .max else { return .distantFuture }
        let byPlayhead = playhead + .nanoseconds(max(at &- now, 0))
        switch self.persona.interstitials.trigger {
        case .buffered, .bufferedOrEdge:
            // What is listed now ends as far ahead of the playhead as it will when it ends at the break.
            guard let start = entry.start, let edge = self.playback.latest?.playlist.endProgramDate else {
                return byPlayhead
            }
            return min(byPlayhead, start - max(edge.duration(since: playhead), .zero))
        case .playhead, .playheadTargets, .discovery, .never: return byPlayhead
        }
    }

    // MARK: Asking

    private var isResolvingList: Bool {
        self.events.state.entries.contains { $0.phase != .over && $0.resolution.isUnderWay }
    }

    private mutating func askWhatIsDue(now: Int64, actions: inout [ViewerAction]) {
        for index in self.events.state.entries.indices {
            let entry = self.events.state.entries[index]
            if entry.phase == .over { continue }
            if entry.resolution.retryAt <= now {
                self.askForContent(index, now: now, actions: &actions)
            }
            self.retryAssets(index, now: now, actions: &actions)
            guard entry.isUnasked else { continue }
            self.drawPreloadPoint(index, now: now)
            let due = self.fetchInstant(of: self.events.state.entries[index], now: now)
            guard due.at <= now else { continue }
            if self.persona.interstitials.loadsOneListAtATime, self.isResolvingList { continue }
            if due.isPreload {
                self.events.state.entries[index].tookPreload = true
                self.note(.preloadsTaken, &actions)
            }
            self.askForContent(index, now: now, actions: &actions)
        }
    }

    /// Asks for the asset list, or for the one asset.
    mutating func askForContent(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        guard let content = self.events.state.entries[index].content else { return }
        if self.events.state.entries[index].phase == .scheduled {
            self.events.state.entries[index].phase = .resolving
        }
        switch content {
        case .asset(let uri):
            guard self.events.state.entries[index].assets.isEmpty else { return }
            var asset = AssetState(uri: uri)
            asset.listedDuration = self.events.state.entries[index].event.interstitial?.announcedDuration
            self.events.state.entries[index].assets = [asset]
            self.events.state.entries[index].beacons = self.events.state.entries[index].event.beacons
            self.askForAsset(index, 0, now: now, actions: &actions)
        case .assetList(let uri):
            self.askForList(index, uri, now: now, actions: &actions)
        }
    }

    private mutating func askForList(_ index: Int, _ uri: String, now: Int64, actions: inout [ViewerAction]) {
        let entry = self.events.state.entries[index]
        let facts = self.persona.interstitials
        let offset = facts.sendsStartOffset ? entry.joinedAt : nil
        self.events.state.entries[index].isListTrimmed = offset != nil
        if entry.isRepeat, entry.resolution.made == 0 {
            self.note(.assetListsRepeated, &actions)
        }
        let made = entry.resolution.made &+ 1
        self.events.state.entries[index].resolution = LoadAttempts(
            made: made,
            deadline: self.persona.requests.assetList.total.map { now.later(by: $0.nanosecondsHeld) } ?? .max,
            askedAt: now,
            isUnderWay: true
        )
        let query = InterstitialQuery(primaryID: facts.sendsPrimaryID ? self.primaryID : nil, startOffset: offset)
        let url = query.assetListURL(uri)
        self.fetchOfEvent(.assetList, url: url, plannedAt: now, serial: entry.serial, index: made, actions: &actions)
    }

    mutating func fetchOfEvent(
        _ role: ViewerRole,
        url: String,
        plannedAt: Int64,
        serial: UInt16,
        index: UInt8,
        actions: inout [ViewerAction]
    ) {
        self.requestsInFlight += 1
        actions.append(.fetchOfEvent(role, url: url, plannedAt: plannedAt, serial: serial, index: index))
    }

    // MARK: Answers

    /// An answer to a request of an interstitial; one that is over, or that the player gave up on, is counted and not read.
    mutating func answered(_ answer: EventAnswer, now: Int64, actions: inout [ViewerAction]) {
        guard let index = self.events.state.index(ofSerial: answer.serial) else { return }
        switch (answer.role, answer.content) {
        case (.assetList, .list(let list)):
            guard self.endAttempt(index, answer, now: now, &actions) else { return }
            self.took(list, index, now: now, actions: &actions)
        case (.assetList, .failed(let failure)):
            guard self.isAwaited(index, answer) else { return }
            self.listFailed(index, failure, now: now, actions: &actions)
        default:
            self.assetAnswered(index, answer, now: now, actions: &actions)
        }
        self.progressEvents(now: now, actions: &actions)
    }

    private func isAwaited(_ index: Int, _ answer: EventAnswer) -> Bool {
        let resolution = self.events.state.entries[index].resolution
        return resolution.isUnderWay && resolution.made == answer.index
    }

    /// False for an answer that comes too late, which loses the break although it is one.
    private mutating func endAttempt(
        _ index: Int,
        _ answer: EventAnswer,
        now: Int64,
        _ actions: inout [ViewerAction]
    ) -> Bool {
        guard self.isAwaited(index, answer) else { return false }
        guard now <= self.events.state.entries[index].resolution.deadline else {
            self.listFailed(index, .timeout, now: now, actions: &actions)
            return false
        }
        self.events.state.entries[index].resolution.isUnderWay = false
        self.events.state.entries[index].resolution.deadline = .max
        return true
    }

    private mutating func giveUpWhatIsOverdue(now: Int64, actions: inout [ViewerAction]) {
        for index in self.events.state.entries.indices {
            let entry = self.events.state.entries[index]
            guard entry.phase != .over else { continue }
            if entry.resolution.isUnderWay, entry.resolution.deadline <= now {
                self.listFailed(index, .timeout, now: now, actions: &actions)
            }
            self.giveUpAssets(index, now: now, actions: &actions)
        }
    }

    private mutating func listFailed(
        _ index: Int,
        _ failure: EventLoadFailure,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let made = self.events.state.entries[index].resolution.made
        self.events.state.entries[index].resolution.isUnderWay = false
        self.events.state.entries[index].resolution.deadline = .max
        if let wait = self.wait(after: failure, made: made, rule: self.persona.requests.assetList) {
            self.events.state.entries[index].resolution.retryAt = now.later(by: wait.nanosecondsHeld)
            return
        }
        self.failEvent(index, failure.reason, now: now, actions: &actions)
    }

    /// How long a player waits before it asks again; nil where it does not.
    mutating func wait(after failure: EventLoadFailure, made: UInt8, rule: RequestRule) -> Duration? {
        guard !failure.isFinal, !failure.isClientError || rule.retriesClientErrors else { return nil }
        let retries = failure.isTimeout ? rule.afterTimeout : rule.afterError
        return retries.wait(before: Int(made), chance: retries.fuzz > 0 ? self.chance.unit() : 0.5)
    }

    // MARK: The list

    private mutating func took(_ list: AssetList, _ index: Int, now: Int64, actions: inout [ViewerAction]) {
        // What an interstitial brings is told apart by one byte of its requests.
        let assets = list.assets.prefix(256).map { asset in
            var state = AssetState(uri: asset.uri, listedDuration: asset.duration)
            state.beacons = DueBeacon.ofAsset(asset)
            return state
        }
        self.events.state.entries[index].assets = Array(assets)
        let entry = self.events.state.entries[index]
        let missing = entry.isListTrimmed ? entry.joinedAt ?? .zero : .zero
        self.events.state.entries[index].beacons = DueBeacon.merged(
            entry.event.beacons,
            DueBeacon.all(list.signaling, total: list.duration + missing)
        )
        self.events.state.entries[index].skipControl = list.skipControl
        guard !assets.isEmpty else {
            guard !entry.isListTrimmed else {
                // Asked for from where the viewer joined on: all of it is over, which is no failure.
                self.nothingIsLeft(index, now: now, actions: &actions)
                return
            }
            self.failEvent(index, .assetListEmpty, now: now, actions: &actions)
            return
        }
        guard self.events.state.entries[index].phase != .anticipated else { return }
        self.askForFirstAssets(index, now: now, actions: &actions)
    }
}

extension EventEntry {
    /// What is to be asked for; of one that only a preload range speaks of, what its URI seems to be.
    var content: Interstitial.Content? {
        if let interstitial = self.event.interstitial { return interstitial.content }
        guard let uri = self.event.preload?.uri else { return nil }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        return path.hasSuffix(".m3u8") ? .asset(uri: uri) : .assetList(uri: uri)
    }
}
