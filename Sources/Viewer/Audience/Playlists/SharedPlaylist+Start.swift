import HLS
package import Profile
package import Values

extension SharedPlaylist {
    /// Nanoseconds behind the wall clock at which a player begins with this version; negative if the channel's dates are
    /// further ahead than the player stays behind its live edge.
    package func startLatency(_ facts: PlaybackFacts, now: Instant, _ timebase: Timebase) -> Int64 {
        let distance = startDistance(facts.start, isLowLatency: facts.lowLatency.blocking != .never)
        guard edge != .min else { return distance }
        let edge = timebase.instant(of: WallTime(microseconds: edge))
        return now.nanoseconds(since: edge).addingClamped(distance)
    }

    /// Nanoseconds of the channel's clock behind this machine's; negative if it is ahead, 0 if the age also fits a channel on
    /// this machine's clock.
    package func clockLag(now: Instant, _ timebase: Timebase) -> Int64 {
        guard edge != .min else { return 0 }
        let seenAt = sight.at == .zero ? now : sight.at
        let age = seenAt.nanoseconds(since: timebase.instant(of: WallTime(microseconds: edge)))
        if age < 0 &- targetNanoseconds { return age }
        return age > targetNanoseconds.multipliedClamped(by: 2) ? age &- targetNanoseconds : 0
    }

    /// Nanoseconds from the live edge back to a player's start point.
    package func startDistance(_ facts: StartFacts, isLowLatency: Bool) -> Int64 {
        if facts.point == .startTagThenHoldBack, let start = playlist.startPoint {
            let whole = playlist.durationMicroseconds
            let offset = start.offsetMicroseconds
            let distance = offset < 0 ? offset == .min ? .max : -offset : whole &- min(offset, whole)
            return min(distance, whole, Self.dayMicroseconds) &* 1000
        }
        let control = playlist.serverControl
        let partHoldBack = isLowLatency && playlist.partTargetMicroseconds != nil ? control?.partHoldBackSeconds : nil
        if let seconds = partHoldBack ?? control?.holdBackSeconds {
            return Int64(min(max(seconds, 0), 86_400) * 1e9)
        }
        guard facts.point == .holdBackThenSegments else {
            let targets = min(max(facts.targets, 0), 1_000)
            return Int64(min(Double(targetNanoseconds) * targets, 86_400e9))
        }
        let count = Int(min(max(facts.targets, 0), 1_000))
        let sum = playlist.segments.suffix(count).reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        return min(sum, Self.dayMicroseconds) &* 1000
    }

    /// Microseconds before its start, counted from the live edge, by which a break must be announced to be known to a player in
    /// time.
    ///
    /// Negative for a player that is further behind the edge than a playlist load takes.
    package func announcementLead(_ facts: PlaybackFacts) -> Int64 {
        let isLowLatency = facts.lowLatency.blocking != .never
        // A request that the server holds is answered as soon as there is a new version.
        let isHeld = isLowLatency && playlist.serverControl?.canBlockReload == true
        let wait = isHeld ? 0 : targetNanoseconds
        return (wait &- startDistance(facts.start, isLowLatency: isLowLatency)) / 1000
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
}
