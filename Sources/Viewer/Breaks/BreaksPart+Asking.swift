import AdServing
import Profile
import Rules
import Values

extension BreaksPart {
    // MARK: Own pods

    /// Requests the viewer's own pod when its timer has fired.
    ///
    /// Requested in another turn, the request would be planned for that turn's moment, which hides a lagging loop.
    ///
    /// A viewer that is shut out asks as soon as it can, and loses the break if it cannot within the grace.
    mutating func askForOwn(_ playback: inout PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        guard let own = breaks.own, case .scheduled(.pod(let fetch)) = breaks[own].phase,
            timing(turn).fetchInstant(of: fetch, breaks[own], playback, turn) <= turn.now
        else { return }
        feeds.ownBreakAsked()
        guard screen.currentSerial == nil else {
            endOwn(.leftOut(.duringAds), at: turn.now, playback, turn: &turn)
            return
        }
        guard let address = fetch.address, obstacle(to: fetch, playback, session) == nil else {
            return wait(for: own, fetch, playback, session, turn: &turn)
        }
        if turn.plan.playback.sendsVerificationPings {
            screen.tracking.begin(breaks[own].planned, verificationURL: address.verificationURL, turn: &turn)
        }
        breaks[own].ask(turn: &turn)
    }

    func obstacle(to fetch: PodFetch, _ playback: PlaybackPart, _ session: SessionPart) -> BreakFailure? {
        let hasSession = fetch.address != nil || session.streamID != nil
        guard playback.latency != nil else { return hasSession ? .noPlaylist : .noSession }
        if playback.isStopped { return .playerGaveUp }
        return hasSession ? nil : .noSession
    }

    /// Waits until the viewer can ask, at most for the grace after the break's start.
    private mutating func wait(
        for own: Int,
        _ fetch: PodFetch,
        _ playback: PlaybackPart,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        guard let obstacle = obstacle(to: fetch, playback, session) else { return }
        guard obstacle != .playerGaveUp else {
            // Breaks lost to such a viewer are derived from when the player gave up.
            return endOwn(.beforePlayback, at: turn.now, playback, turn: &turn)
        }
        let dueAt = timing(turn).dueInstant(of: breaks[own], playback, turn) ?? turn.now
        let lastAt = dueAt.later(by: turn.plan.graceNanoseconds)
        guard lastAt <= turn.now else {
            breaks[own].prepare(PodFetch(time: .postponed(until: lastAt), address: fetch.address), turn: &turn)
            // A player that gave up before it played sets no timers any more.
            return turn.schedule(.breakFetch, at: lastAt)
        }
        let isDue = dueAt >= turn.dueSince
        if !isDue { turn.count(.breaksBeforePlayback) }
        endOwn(isDue ? .failed(obstacle) : .beforePlayback, at: turn.now, playback, turn: &turn)
    }

    /// Builds the URL of the next pod request some seconds ahead, and opens its connection early where the plan says so: at a
    /// break's instant thousands of viewers ask at once.
    mutating func prepareOwn(
        _ playback: PlaybackPart,
        _ session: SessionPart,
        isTimer: Bool,
        turn: inout Turn
    ) {
        guard let own = breaks.own, case .scheduled(.pod(var fetch)) = breaks[own].phase else { return }
        if fetch.isPostponed, obstacle(to: fetch, playback, session) == nil {
            fetch = PodFetch(time: .at(turn.now), address: fetch.address)
            breaks[own].prepare(fetch, turn: &turn)
        }
        let timing = self.timing(turn)
        var isDone = isTimer && fetch.address != nil
        if fetch.address == nil, let streamID = session.streamID,
            timing.preparesAt(fetch, breaks[own], playback, turn) <= turn.now
        {
            let url = turn.plan.podURL(breaks[own].planned, streamID: streamID, viewer: turn.number)
            fetch.address = PodAddress(url: url, verificationURL: session.verificationURL)
            breaks[own].prepare(fetch, turn: &turn)
            turn.act(.preparePod(url: url))
            isDone = true
        }
        guard isDone, let warmsAt = timing.warmsAt(breaks[own], playback, turn), warmsAt <= turn.now,
            turn.now < timing.fetchInstant(of: fetch, breaks[own], playback, turn)
        else { return }
        turn.act(.warm)
    }

    // MARK: Interstitials

    mutating func loadWhatIsDue(_ playback: inout PlaybackPart, turn: inout Turn) {
        var index = 0
        while index < breaks.indices.upperBound {
            take(breaks[index].progress(turn: &turn), index, &playback, turn: &turn)
            index += 1
        }
        for index in breaks.indices where breaks[index].offer.programme == .paused && breaks[index].isUnasked {
            let timing = self.timing(turn)
            if let drawn = timing.preload(of: breaks[index], playback, turn: &turn) { breaks[index].preload = drawn }
            let due = timing.fetchInstant(of: breaks[index], playback, turn)
            guard due.at <= turn.now else { continue }
            if turn.persona.interstitials.loadsOneListAtATime, isResolvingList { continue }
            if due.isPreload, let point = breaks[index].preload.point {
                breaks[index].preload = .taken(point)
                turn.count(.preloadsTaken)
            }
            breaks[index].ask(turn: &turn)
        }
    }

    private var isResolvingList: Bool { breaks.indices.contains { breaks[$0].content?.isResolvingList ?? false } }
}
