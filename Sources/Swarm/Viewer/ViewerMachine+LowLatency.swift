import HLS
import LoadProfile
import Measurement

// Delivery directives: requests that the server holds until there is news, and answers that leave out what is known
// (bis-22 sections 6.2.5 and 6.3.7).
extension ViewerMachine {
    /// A server that answers at once what it should have held is asked again after this at the least.
    private static let shortestPause: Int64 = 50_000_000

    /// What a loop's next request asks for besides the playlist; nil for a plain one.
    func directives(for loop: ReloadLoop, facts: PlaybackFacts, now: Int64) -> DeliveryDirectives? {
        let lowLatency = facts.lowLatency
        guard let shared = loop.latest, !loop.isPlainNext, shared.isReloaded else { return nil }
        guard !loop.isFresh else { return self.reported(by: shared, for: loop.url, lowLatency) }
        let age = now &- loop.changedAt
        if let targets = lowLatency.dropsDirectivesAfterTargets,
            Double(age) > targets * Double(shared.targetNanoseconds)
        {
            return nil
        }
        var wish = DeliveryDirectives()
        switch lowLatency.blocking {
        case .never: break
        case .afterAdvance where !loop.hasAdvanced: break
        case .afterAdvance, .always:
            wish = self.tuneIn(loop, shared, lowLatency) ?? .next(after: shared.playlist) ?? wish
        }
        let control = shared.playlist.serverControl
        switch lowLatency.skip {
        case .never: break
        case .whenYoung where !DeliveryDirectives.isYoungEnough(age: .nanoseconds(age), control): break
        case .whenYoung, .always:
            wish.skip = DeliveryDirectives.skip(offeredBy: control, includingDateRanges: lowLatency.skipsDateRanges)
        }
        return wish.isEmpty ? nil : wish
    }

    /// A plain answer came from a cache: what is asked for next is what the origin should have by now (bis-22
    /// appendix C).
    private func tuneIn(_ loop: ReloadLoop, _ shared: SharedPlaylist, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard loop.age > 0, let target = shared.playlist.partTargetMicroseconds,
            let missing = CDNTuneIn.goal(ageSeconds: Int(loop.age), partTargetMicroseconds: target)
        else { return nil }
        let most = facts.tuneInTargets.map { Duration.seconds($0 * Double(shared.playlist.targetDurationSeconds)) }
        return CDNTuneIn.directives(goal: most.map { min(missing, $0) } ?? missing, playlist: shared.playlist)
    }

    /// What the playlist that is left reports of the one that takes its place (bis-22 section 4.4.5.4).
    private func reported(by shared: SharedPlaylist, for url: String, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard facts.usesRenditionReports, facts.blocking != .never else { return nil }
        let report = shared.playlist.renditionReports.first {
            URLReference.resolve(shared.playlist.string(in: $0.uri), against: shared.url) == url
        }
        return report.flatMap { shared.playlist.directives(reportedBy: $0) }
    }

    /// Sends a request with directives.
    mutating func ask(
        _ wish: DeliveryDirectives,
        _ rendition: PlayedRendition,
        plannedAt: Int64,
        actions: inout [ViewerAction]
    ) {
        var asked: ReloadLoop.Asked = .anything
        if wish.mediaSequence != nil {
            asked.insert(.blocking)
            self.note(.blockingReloads, &actions)
        }
        if wish.skip != nil { asked.insert(.delta) }
        self.playback[rendition].asked = asked
        self.fetch(
            wish.mediaSequence == nil ? .playlist : .blockingPlaylist,
            url: wish.url(self.playback[rendition].url, inOrder: self.facts.lowLatency.sortsParameters),
            plannedAt: plannedAt,
            index: self.requestIndex(of: rendition),
            actions: &actions
        )
    }

    /// Asks for the next version at once where the server will hold the request; false leaves it to the clock.
    mutating func goesOnBlocking(
        _ rendition: PlayedRendition,
        _ shared: SharedPlaylist,
        _ load: FinishedLoad,
        _ facts: PlaybackFacts,
        actions: inout [ViewerAction]
    ) -> Bool {
        guard facts.lowLatency.blocking != .never || facts.lowLatency.skip != .never else { return false }
        // What was only asked for to check a merge says nothing of how the channel goes on.
        self.playback[rendition].hasAdvanced = load.isNews || load.asked.contains(.verification)
        self.playback[rendition].age =
            load.asked.contains(.blocking) ? 0 : UInt8(clamping: max(load.age, 0))
        if load.asked.contains(.delta), shared.isMerged {
            self.merged(shared, now: load.now, actions: &actions)
            if self.verifies() {
                self.playback[rendition].asked = [.anything, .verification]
                self.playback.downloads += 1
                let url = self.playback[rendition].url
                let index = self.requestIndex(of: rendition)
                self.fetch(.playlist, url: url, plannedAt: load.now, index: index, actions: &actions)
                return true
            }
        }
        let loop = self.playback[rendition]
        guard self.directives(for: loop, facts: facts, now: load.now)?.mediaSequence != nil else { return false }
        guard load.asked.contains(.blocking), !load.isNews else {
            self.load(rendition, plannedAt: load.now, actions: &actions)
            return true
        }
        // The server did not hold the request.
        let part = shared.playlist.partTargetMicroseconds.map { min($0, 86_400_000_000) &* 1000 }
        let pause = max((part ?? shared.targetNanoseconds) / 2, Self.shortestPause)
        actions.append(.schedule(rendition.timer, at: load.now.later(by: pause)))
        return true
    }

    /// Whether the next of what the viewer has is all that it last asked a rendition's server to wait for, and is there.
    func askedForNoMore(than shared: SharedPlaylist, of rendition: PlayedRendition) -> Bool {
        let loop = self.playback[rendition]
        guard let latest = loop.latest, loop.age == 0 else { return false }
        return shared.reachesFurther(than: latest)
    }

    // MARK: Delta updates

    private func merged(_ shared: SharedPlaylist, now: Int64, actions: inout [ViewerAction]) {
        self.note(.deltaUpdates, &actions)
        guard let mismatch = shared.mismatch else { return }
        actions.append(.note(.deltaMismatched(mismatch, url: shared.url, at: now)))
    }

    private mutating func verifies() -> Bool {
        let share = self.plan.playback.verifyDeltaShare
        return share > 0 && self.chance.happens(share)
    }

    /// Holds a whole playlist against the merged one that it was asked for after; one that is newer tells nothing.
    func verify(
        _ whole: SharedPlaylist,
        against merged: SharedPlaylist,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard
            merged.isMerged, whole.isOfSameMoment(as: merged),
            let mismatch = DeltaMismatch(expected: whole.playlist, observed: merged.playlist, own: self.streamID)
        else { return }
        actions.append(.note(.deltaMismatched(mismatch, url: whole.url, at: now)))
    }

    /// A delta update that what is in hand does not fill: the whole playlist is loaded (bis-22 section 6.3.7).
    mutating func deltaUnusable(plannedAt: Int64, index: UInt8, now: Int64, actions: inout [ViewerAction]) {
        guard let rendition = self.rendition(ofRequest: index), self.playback[rendition].asked.contains(.delta) else {
            // Nobody asked for it: as good as no playlist.
            self.loadFailed(plannedAt: plannedAt, reason: .unreadable, index: index, now: now, actions: &actions)
            return
        }
        self.playback.downloadEnded()
        self.note(.deltaRefetches, &actions)
        self.playback[rendition].asked = []
        self.playback[rendition].isPlainNext = true
        self.load(rendition, plannedAt: now, actions: &actions)
        self.goOnLoading(now: now, actions: &actions)
    }
}
