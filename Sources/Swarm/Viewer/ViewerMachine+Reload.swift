import HLS
import LoadProfile
import Measurement

/// A load of a playlist that brought one.
struct FinishedLoad {
    /// Monotonic nanoseconds.
    let plannedAt: Int64
    let now: Int64
    let isNews: Bool
    let asked: ReloadLoop.Asked
    /// Of the answer in caches, in seconds (RFC 9111 section 5.1); -1 where it does not say.
    let age: Int32
}

// When a playlist is loaded again.
extension ViewerMachine {
    mutating func scheduleReload(
        of rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        _ facts: PlaybackFacts,
        actions: inout [ViewerAction]
    ) {
        if facts.isPlain {
            let basis: ReloadRule.Basis =
                facts.reload.afterChange == .lastSegment ? .lastSegmentDuration : .targetDuration
            guard let delay = shared.reloadDelay(basis, isNews: load.isNews) else { return }
            // Measured from when the load began (bis-22 section 6.3.4), which for an open schedule is when it was due.
            actions.append(.schedule(rendition.timer, at: max(load.plannedAt.later(by: delay), load.now)))
            self.switchIfDue(rendition, now: load.now, actions: &actions)
            return
        }
        if self.leavesStuckPlaylist(rendition, shared, load, facts, actions: &actions) { return }
        if self.switchIfDue(rendition, now: load.now, actions: &actions) { return }
        if self.goesOnBlocking(rendition, shared, load, facts, actions: &actions) { return }
        guard
            let delay = shared.reloadDelay(
                facts.reload,
                isNews: load.isNews,
                isNearEdge: self.isNearEdge(shared, now: load.now)
            )
        else { return }
        self.schedule(rendition, delay: delay, load, facts, actions: &actions)
    }

    /// Sets the timer of the next load by the player's clock.
    private mutating func schedule(
        _ rendition: PlayedRendition,
        delay: Int64,
        _ load: FinishedLoad,
        _ facts: PlaybackFacts,
        actions: inout [ViewerAction]
    ) {
        var delay = delay
        var timer = rendition.timer
        if facts.reload.loadsRenditionsTogether {
            delay = min(delay, self.playback.course.sharedDelay)
            // One that the server holds is not waited for.
            let others = PlayedRendition.allCases.contains {
                self.playback[$0].isLoading && !self.playback[$0].asked.contains(.blocking)
            }
            guard !others, self.playback.waiting == 0 else {
                self.playback.course.sharedDelay = delay
                return
            }
            self.playback.course.sharedDelay = .max
            timer = .reload
        }
        let at: Int64
        switch facts.reload.clock {
        case .loadStart: at = load.plannedAt.later(by: delay)
        case .completion: at = load.now.later(by: delay)
        case .smoothedCompletion:
            self.playback.course.loadTime.add(nanoseconds: load.now &- load.plannedAt)
            at = load.now.later(by: delay).later(by: -self.playback.course.loadTime.nanoseconds)
        }
        actions.append(.schedule(timer, at: max(at, load.now)))
    }

    /// Whether playback is within four target durations of the live edge (hls.js, computeReloadInterval).
    private func isNearEdge(_ shared: SharedPlaylist, now: Int64) -> Bool {
        guard shared.edge != .min, let date = self.playheadDate(at: now) else { return false }
        let distance = shared.edge.later(by: -date.microseconds)
        return distance < shared.targetNanoseconds / 1000 &* 4
    }

    /// Leaves a playlist that did not change for longer than the player bears, where there is another variant.
    private mutating func leavesStuckPlaylist(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        _ facts: PlaybackFacts,
        actions: inout [ViewerAction]
    ) -> Bool {
        guard let targets = facts.reload.stuckAfterTargets, !load.isNews, shared.isReloaded, rendition == .video else {
            return false
        }
        let since = Double(load.now &- self.playback.video.changedAt)
        guard since >= targets * Double(shared.targetNanoseconds) else { return false }
        // Not again before it was borne as long once more.
        self.playback.video.changedAt = load.now
        return self.switchVariant(now: load.now, actions: &actions)
    }

    /// A load failed: it is retried as the player does, and otherwise the loop goes on at its slowest pace.
    mutating func loadFailed(
        plannedAt: Int64,
        reason: LoadFailure,
        index: UInt8 = 0,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.playback.downloadEnded()
        guard !self.playback.video.url.isEmpty else {
            self.contentFailed(plannedAt: plannedAt, reason: reason, now: now, actions: &actions)
            return
        }
        guard let rendition = self.rendition(ofRequest: index) else {
            self.goOnLoading(now: now, actions: &actions)
            return
        }
        let facts = self.facts
        let asked = self.playback[rendition].asked
        self.playback[rendition].asked = []
        if !asked.isDisjoint(with: [.blocking, .delta]), facts.lowLatency.retriesWithoutDirectives,
            reason.isDirectivesFault
        {
            self.note(.blockingFallbacks, &actions)
            self.playback[rendition].isPlainNext = true
            self.load(rendition, plannedAt: now, actions: &actions)
            return
        }
        let failures = self.playback[rendition].failures &+ 1
        self.playback[rendition].failures = failures
        if let wait = facts.playlist.wait(after: reason, failures: failures, chance: &self.chance) {
            actions.append(.schedule(rendition.timer, at: now.later(by: wait)))
        } else {
            self.playback[rendition].failures = 0
            let generation = self.playback[rendition].generation
            self.leavePathway(now: now, actions: &actions)
            // A rendition that the pathways share goes on where it was.
            if self.playback[rendition].generation == generation {
                self.scheduleSlowly(rendition, plannedAt: plannedAt, now: now, actions: &actions)
            }
        }
        self.goOnLoading(now: now, actions: &actions)
    }

    /// The content URL brought no playlist: nothing can be played before it does.
    mutating func contentFailed(
        plannedAt: Int64,
        reason: LoadFailure,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let failures = self.playback.video.failures &+ 1
        self.playback.video.failures = failures
        if let wait = self.facts.multivariant.wait(after: reason, failures: failures, chance: &self.chance) {
            actions.append(.schedule(.reload, at: now.later(by: wait)))
            return
        }
        self.playback.video.failures = 0
        self.scheduleSlowly(.video, plannedAt: plannedAt, now: now, actions: &actions)
    }

    /// Half a target duration after the load that failed, and at least half a second.
    private func scheduleSlowly(
        _ rendition: PlayedRendition,
        plannedAt: Int64,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let half = (self.playback[rendition].latest?.targetNanoseconds ?? 2_000_000_000) / 2
        actions.append(.schedule(rendition.timer, at: max(plannedAt.later(by: max(half, 500_000_000)), now)))
    }
}
