import HLS
import LoadProfile
import Measurement

// Where the viewer is in the programme, and what follows when that changes.
//
// The playhead is a fixed time behind the wall clock until it stalls, stops or jumps. What is buffered ends with the last
// listed segment where no segments are loaded, and otherwise with the last one loaded without a hole.
extension ViewerMachine {
    /// When this viewer's playhead reaches a date of the programme, monotonic nanoseconds; nil before it plays.
    ///
    /// While the playhead is stopped this is the earliest that it can be: as if it had gone on.
    func playheadInstant(of date: WallTime) -> Int64? {
        self.playback.latency.map { self.plan.timebase.monotonic(date).later(by: $0) }
    }

    /// The date of the programme that is shown at a moment; nil before the viewer plays.
    ///
    /// It stays where it is while the playhead is stopped, and at the end of what is buffered during a stall.
    func playheadDate(at now: Int64) -> WallTime? {
        guard let latency = self.playback.latency else { return nil }
        let moment = min(self.playback.pausedAt ?? now, now)
        let date = self.plan.timebase.wall(moment.later(by: -latency))
        guard let end = self.bufferEnd else { return date }
        return min(date, WallTime(microseconds: end))
    }

    /// Stops the playhead, for an interstitial; one that is stopped already stays where it was stopped.
    mutating func pausePlayhead(now: Int64) {
        guard self.playback.pausedAt == nil else { return }
        if let date = self.playheadDate(at: now) {
            // From where it really stands, which in a stall is the end of what is buffered.
            self.playback.latency = now &- self.plan.timebase.monotonic(date)
        }
        self.playback.pausedAt = now
    }

    /// Goes on with the programme from this date, now: after an interstitial or a seek.
    ///
    /// Where content is loaded and the date lies outside of it, loading begins anew there.
    mutating func resumePlayhead(at date: WallTime, now: Int64) {
        self.playback.pausedAt = nil
        self.playback.latency = now &- self.plan.timebase.monotonic(date)
        guard self.playback.keepsCourse, !self.playback.course.loaders.isEmpty else { return }
        guard self.bufferEnd.map({ $0 < date.microseconds }) ?? true else { return }
        self.playback.course.startsAt = date.microseconds
        for index in self.playback.course.loaders.indices {
            self.playback.course.loaders[index].reset()
        }
    }

    /// Whether the programme is buffered up to a date.
    func hasBuffered(until date: WallTime) -> Bool {
        self.bufferEnd.map { $0 >= date.microseconds } ?? false
    }

    /// End of what is buffered, as a date of the programme in microseconds; nil where nothing is, or where the channel
    /// has no dates.
    var bufferEnd: Int64? {
        guard self.loadsContent, self.playback.keepsCourse else {
            guard let edge = self.playback.video.latest?.edge, edge != .min else { return nil }
            return edge
        }
        // Playback does not wait for subtitles.
        let loaders = self.playback.course.loaders
        var end = Int64.max
        for rendition in [PlayedRendition.video, .audio] where !self.playback[rendition].url.isEmpty {
            guard loaders.indices.contains(Int(rendition.rawValue)) else { return nil }
            end = min(end, loaders[Int(rendition.rawValue)].loadedEnd)
        }
        return end == .min || end == .max ? nil : end
    }

    /// Books the stall that has just ended, or ends with the viewer's departure: the playhead stood still from the end of
    /// what was buffered, and is that much further behind.
    mutating func settleStall(bufferedTo end: Int64?, now: Int64, actions: inout [ViewerAction]) {
        guard
            let end, self.playback.pausedAt == nil, self.adBreak.playsContent,
            let stoodFrom = self.playheadInstant(of: WallTime(microseconds: end)), stoodFrom < now,
            let latency = self.playback.latency
        else { return }
        let stall = now &- stoodFrom
        self.playback.latency = latency.later(by: stall)
        self.note(.stalls, &actions)
        actions.append(.note(.added(.stalledMilliseconds, by: UInt64(clamping: stall / 1_000_000))))
        self.playheadShifted(now: now, actions: &actions)
    }

    // MARK: The start

    /// Puts the playhead where the player begins.
    mutating func beginPlayback(_ shared: SharedPlaylist, now: Int64) {
        let latency = self.startLatency(shared, now: now)
        self.playback.latency = latency
        if self.loadsContent, shared.edge != .min {
            self.playback.course.startsAt = self.plan.timebase.wall(now.later(by: -latency)).microseconds
        }
    }

    /// How far behind the wall clock playback begins.
    private func startLatency(_ shared: SharedPlaylist, now: Int64) -> Int64 {
        let facts = self.facts
        let distance = shared.startDistance(facts.start, isLowLatency: facts.lowLatency.blocking != .never)
        guard shared.edge != .min else { return distance }
        let edge = self.plan.timebase.monotonic(WallTime(microseconds: shared.edge))
        return max(now &- edge, 0).later(by: distance)
    }

    /// Something is loaded at last: playback starts there, however long that took.
    mutating func startWithMedia(now: Int64, actions: inout [ViewerAction]) {
        let date = self.playback.course.startsAt
        guard date != .min, let end = self.bufferEnd, end >= date else { return }
        self.playback.course.startsAt = .min
        guard self.playback.pausedAt == nil else { return }
        self.playback.latency = now &- self.plan.timebase.monotonic(WallTime(microseconds: date))
        self.playheadShifted(now: now, actions: &actions)
    }
}

extension SharedPlaylist {
    /// Nanoseconds from the live edge back to where a player starts.
    func startDistance(_ facts: StartFacts, isLowLatency: Bool) -> Int64 {
        if facts.point == .startTagThenHoldBack, let start = self.playlist.startPoint {
            let whole = self.playlist.durationMicroseconds
            let offset = start.offsetMicroseconds
            let distance = offset < 0 ? offset == .min ? .max : -offset : whole &- min(offset, whole)
            return min(distance, whole, 86_400_000_000).nanoseconds
        }
        let control = self.playlist.serverControl
        let partHoldBack =
            isLowLatency && self.playlist.partTargetMicroseconds != nil ? control?.partHoldBackSeconds : nil
        if let seconds = partHoldBack ?? control?.holdBackSeconds {
            return Int64(min(max(seconds, 0), 86_400) * 1e9)
        }
        guard facts.point == .holdBackThenSegments else {
            let targets = min(max(facts.targets, 0), 1_000)
            return Int64(min(Double(self.targetNanoseconds) * targets, 86_400e9))
        }
        let count = Int(min(max(facts.targets, 0), 1_000))
        let sum = self.playlist.segments.suffix(count).reduce(Int64(0)) { $0.later(by: $1.durationMicroseconds) }
        return min(sum, 86_400_000_000).nanoseconds
    }
}

extension Int64 {
    /// Microseconds below a day as nanoseconds.
    fileprivate var nanoseconds: Int64 { self &* 1000 }
}

extension ViewerMachine {
    /// The viewer leaves: a stall that goes on is booked as far as it went.
    mutating func settlePlayback(now: Int64, actions: inout [ViewerAction]) {
        guard let latest = self.playback.video.latest, latest.isReloaded else { return }
        guard !self.playback.keepsCourse || self.playback.course.startsAt == .min else { return }
        self.settleStall(bufferedTo: self.bufferEnd, now: now, actions: &actions)
    }
}
