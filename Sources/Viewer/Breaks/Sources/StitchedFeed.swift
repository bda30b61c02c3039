import AdServing
import Profile
import Rules
import Values

/// Stitched breaks need no request, but must be there in time and be the same for all viewers.
struct StitchedFeed: Sendable {
    /// More than one playlist lists.
    fileprivate static let kept = 32

    fileprivate var views: [StitchedView] = []
    /// Latest start of breaks that left the list; one that is listed again is not new.
    fileprivate var forgottenUntil = WallTime.distantPast

    /// Forgets unlisted breaks that were reported, shown, or withdrawn before they began.
    fileprivate mutating func forget(_ versions: [StitchedBreakVersion], playhead: WallTime, _ breaks: inout BreakList)
    {
        views.removeAll { view in
            guard !versions.contains(where: { $0.key == view.version.key }) else { return false }
            let index = breaks.stitched(view.version.key)
            let isAhead = playhead < view.start
            guard view.isReported || index == nil || isAhead else { return false }
            if isAhead {
                if let index { breaks.remove(at: index) }
            } else {
                forgottenUntil = max(forgottenUntil, view.start)
            }
            return true
        }
    }
}

extension Screen {
    mutating func follow(_ versions: [StitchedBreakVersion], playhead: WallTime, turn: inout Turn) {
        feeds.stitched.forget(versions, playhead: playhead, &breaks)
        for version in versions {
            let known = feeds.stitched.views.firstIndex { $0.version.key == version.key }
            guard let index = known ?? recognise(version, playhead: playhead, turn: &turn) else { continue }
            feeds.stitched.views[index].take(version, startingAt: version.placedStart(playback))
            if let shown = breaks.stitched(version.key) { breaks[shown].offer = version }
            if let observed = feeds.stitched.views[index].report() { turn.note(observed, of: version.planned) }
        }
    }

    /// Ignores a break that ended before the viewer joined.
    private mutating func recognise(_ version: StitchedBreakVersion, playhead: WallTime, turn: inout Turn) -> Int? {
        let (known, forgottenUntil) = (feeds.stitched.views.count, feeds.stitched.forgottenUntil)
        guard known < StitchedFeed.kept else { return nil }
        let start = version.placedStart(playback)
        let startAt = playback.playheadInstant(of: start, turn) ?? turn.now
        let isOver = playhead >= start + version.planned.scheduled.end.duration(since: version.firstDate)
        let isBefore = turn.begins || startAt < turn.joinedAt || start <= forgottenUntil
        guard !isOver || !isBefore else { return nil }
        turn.count(.stitchedBreaks)
        var new = Break(version, serial: breaks.takeSerial(), phase: .resolving, knownAt: turn.now)
        new.start = start
        if start < playhead, !turn.learnsInTime(of: startAt) {
            if !isOver { turn.count(.joinedMidBreak) }
            let outcome = start > forgottenUntil ? turn.outcome(ofPassed: startAt, playback) : .past
            new.conclude(outcome, turn: &turn)
            turn.noteAnnouncedLate(outcome, startAt, of: version.planned)
        } else {
            breaks.insert(new)
        }
        feeds.stitched.views.append(StitchedView(version, start: start))
        return known
    }
}

extension BreakList {
    /// Judges whether the first ad segment was there in time: listed, and loaded where the viewer loads segments.
    mutating func reachStitched(_ index: Int, _ playback: PlaybackPart, turn: inout Turn) -> Bool {
        guard let offer = self[index].offer as? StitchedBreakVersion else { return false }
        let start = offer.placedStart(playback)
        if case .resolving = self[index].phase, !offer.segments.isEmpty,
            playback.hasBuffered(until: start + .microseconds(1))
        {
            let inHandAt = self[index].cameInHand(turn)
            self[index].becomeReady(at: inHandAt, turn: &turn)
        }
        guard case .ready(let inHandAt) = self[index].phase,
            let dueAt = playback.playheadInstant(of: start, turn), dueAt <= turn.now
        else { return false }
        self[index].bookPunctuality(inHandAt: inHandAt, dueAt: dueAt, lineDelay: playback.lineDelay, turn: &turn)
        self[index].conclude(.finished, turn: &turn)
        remove(at: index)
        return true
    }

    fileprivate func stitched(_ key: String) -> Int? {
        firstIndex { $0.planned.source == .stitched && $0.planned.scheduled.key == key }
    }
}

extension StitchedBreakVersion {
    /// On the viewer's time line.
    fileprivate func placedStart(_ playback: PlaybackPart) -> WallTime {
        playback.placed(firstDate, by: .coveringTag) ?? firstDate
    }
}

private struct StitchedView: Sendable {
    enum Sight: Sendable {
        /// Covers the ad segments that the viewer was shown, in order.
        case whole(fingerprint: UInt64)
        /// The viewer missed ad segments, so there is nothing to compare.
        case partial
        case reported
    }

    private(set) var version: StitchedBreakVersion
    /// Stems from the last playlist that listed it; later ones may lack its dates.
    private(set) var start: WallTime
    private var sight: Sight
    /// Nil before the first ad segment.
    private var nextSequence: UInt64?

    init(_ version: StitchedBreakVersion, start: WallTime) {
        (self.version, self.start) = (version, start)
        nextSequence = version.firstSequence
        sight = version.firstSequence == nil ? .partial : .whole(fingerprint: FNV1a().value)
    }

    var isReported: Bool { if case .reported = sight { true } else { false } }

    mutating func take(_ version: StitchedBreakVersion, startingAt start: WallTime) {
        self.start = start
        // Another rendition may name the same ads differently.
        if !self.version.agrees(with: version), !isReported { sight = .partial }
        self.version = version
        for segment in version.segments where segment.sequence >= nextSequence ?? 0 {
            let follows = segment.sequence == nextSequence
            nextSequence = segment.sequence &+ 1
            guard case .whole(let fingerprint) = sight else { continue }
            var hash = FNV1a(after: fingerprint)
            hash.add(segment.hash)
            sight = follows ? .whole(fingerprint: hash.value ^ hash.value >> 29) : .partial
        }
    }

    /// Returns the observation once, when the break has ended.
    mutating func report() -> ViewerNote? {
        guard version.hasEnded, !isReported else { return nil }
        defer { sight = .reported }
        guard case .whole(let fingerprint) = sight else { return nil }
        return .stitchedObserved(fingerprint, segments: version.segments.compactMap(\.name))
    }
}
