import AdServing
import Conformance
import HLS
import Measurement
import Transport

/// What is remembered of one of a viewer's playlists after it broke a rule.
struct RenditionWatch {
    let rendition: PlayedRendition
    /// Of the machine's playlist: another one has another URL, and nothing in common with this.
    let generation: UInt8
    var course = VersionCourse<SharedPlaylist>()
    /// The standstill that was found already, by its beginning in monotonic nanoseconds; `.min`: none.
    var staleSince: Int64 = .min
}

// Whether the channel's playlists keep the rules: each body is checked once, and found for each viewer that gets it.
extension Shard {
    /// Holds a version against the rules, and against the version before it; before the viewer's machine takes it.
    ///
    /// A poll that brings what the viewer has costs two comparisons.
    func inspect(
        _ shared: SharedPlaylist,
        of rendition: PlayedRendition,
        at place: PlaylistCache.Place,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        let previous = viewer.machine.version(before: rendition)
        guard let previous, previous.version == shared.version else {
            guard viewer.machine.isPresent else { return }
            self.inspectNew(shared, after: previous, of: rendition, at: place, result, viewer)
            return
        }
        let since = viewer.machine.changedAt(of: rendition)
        guard result.sentAt &- since >= shared.standstillNanoseconds else { return }
        self.foundStandstill(shared, since: since, of: rendition, result, viewer)
    }

    private func inspectNew(
        _ shared: SharedPlaylist,
        after previous: SharedPlaylist?,
        of rendition: PlayedRendition,
        at place: PlaylistCache.Place,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        self.foundInAnswer(shared.sight.violations, result, viewer)
        guard let previous else { return }
        let since = viewer.machine.changedAt(of: rendition)
        if result.sentAt &- since >= shared.standstillNanoseconds, !shared.isNews(after: previous) {
            self.foundStandstill(shared, since: since, of: rendition, result, viewer)
        }
        let watch = viewer.watches.firstIndex { $0.rendition == rendition }
        guard let watch, viewer.watches[watch].generation == viewer.machine.generation(of: rendition) else {
            if self.playlists.transition(from: previous, to: shared, at: place).isClean { return }
            self.follow(shared, after: previous, of: rendition, at: place, result, viewer)
            return
        }
        self.follow(shared, after: previous, of: rendition, at: place, result, viewer)
    }

    /// Takes a version up in what is remembered, and books what it shows.
    private func follow(
        _ shared: SharedPlaylist,
        after previous: SharedPlaylist,
        of rendition: PlayedRendition,
        at place: PlaylistCache.Place,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        let index = self.watch(rendition, viewer)
        let cache = self.playlists
        let violations = viewer.watches[index].course.violations(of: shared, after: previous) { from, to in
            cache.transition(from: from, to: to, at: place)
        }
        if viewer.watches[index].course.isSettled, viewer.watches[index].staleSince == .min {
            viewer.watches.remove(at: index)
        }
        self.found(violations, url: result.effectiveURL, viewer, now: result.doneAt)
    }

    /// Where a rendition's memory is; made where there is none.
    private func watch(_ rendition: PlayedRendition, _ viewer: ViewerSlot) -> Int {
        let generation = viewer.machine.generation(of: rendition)
        if let known = viewer.watches.firstIndex(where: { $0.rendition == rendition }) {
            guard viewer.watches[known].generation != generation else { return known }
            viewer.watches.remove(at: known)
        }
        viewer.watches.append(RenditionWatch(rendition: rendition, generation: generation))
        return viewer.watches.count - 1
    }

    /// A playlist that stands still is found once for each viewer and standstill.
    private func foundStandstill(
        _ shared: SharedPlaylist,
        since: Int64,
        of rendition: PlayedRendition,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        guard viewer.machine.isPresent, shared.isReloaded else { return }
        let index = self.watch(rendition, viewer)
        guard viewer.watches[index].staleSince != since else { return }
        viewer.watches[index].staleSince = since
        let time = Duration.nanoseconds(result.sentAt &- since)
        guard let violation = Standstill.violation(of: shared.playlist, unchangedFor: time) else { return }
        self.found([violation], url: result.effectiveURL, viewer, now: result.doneAt)
    }

    /// A playlist that was there before did not answer.
    ///
    /// What a server refuses of directives, and what says that a session or token is over, is not of the playlist.
    func foundUnavailable(
        _ role: ViewerRole,
        index: UInt8,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        guard
            viewer.machine.isPresent, let rendition = viewer.machine.rendition(ofRequest: index),
            viewer.machine.version(before: rendition) != nil, !(self.sessionsEnd && self.endsSession(role, result))
        else { return }
        let problem: String
        switch result.failure {
        case .localResources, .unauthorisedHost, .abandoned, .redirectLimit: return
        case .some(let failure): problem = "no answer: \(failure)"
        case nil:
            switch result.status {
            case 401, 403: return
            case 400 where role == .blockingPlaylist, 503 where role == .blockingPlaylist: return
            default: problem = "status \(result.status)"
            }
        }
        let violation = Violation(
            .playlistUnavailable,
            expected: "the playlist, as it was there before",
            observed: problem
        )
        self.found([violation], url: result.effectiveURL, viewer, now: result.doneAt)
    }

    /// Books violations of the channel's playlists.
    func found(_ violations: [Violation], url: String, _ viewer: ViewerSlot, now: Int64) {
        guard !violations.isEmpty else { return }
        self.found(violations, url: url, viewer, breakSlot: self.playlistSlot(viewer, now: now))
    }

    /// The viewer's break for what its playlists show around it, from three target durations before to three after.
    func playlistSlot(_ viewer: ViewerSlot, now: Int64) -> Int32 {
        let target = viewer.machine.version(before: .video)?.targetNanoseconds ?? 0
        let reach = Duration.nanoseconds(min(target, 3_600_000_000_000) &* 3)
        let wall = self.plan.timebase.wall(now)
        if let scheduled = viewer.planned?.scheduled, wall >= scheduled.start - reach, wall <= scheduled.end + reach {
            return viewer.breakSlot
        }
        guard let former = viewer.formerBreak, wall <= former.planned.scheduled.end + reach else { return -1 }
        return former.slot
    }
}
