package import AdServing
import Glibc
package import HLS
package import Profile
package import Rules
package import Values

/// Facts of a version when the loop first sees it.
package struct PlaylistSight: Sendable {
    /// Zero if unused.
    package let at: Instant
    /// START-DATE that an ID in it had before it was gone.
    package var earlier = DateRangeHistory.Earlier()
    /// Violations in the body alone.
    package var violations: [Violation] = []
    /// Violation by the mean interval of updates up to this one.
    package var rhythm: Violation?

    package init(at: Instant = .zero, violations: [Violation] = []) { (self.at, self.violations) = (at, violations) }
}

/// Parsed once for all viewers of a loop; stores the facts that each poll needs.
package final class SharedPlaylist: Sendable {
    /// Rises with each new version of any playlist on this loop.
    package let version: Int
    package let playlist: MediaPlaylist
    /// Sorted by start.
    package let announced: [ScheduledBreak]
    package let url: String
    /// Programme date at the end of the listing including partial segments; nil without dates.
    package let edge: WallTime?
    package let dateJumps: [DateJump]
    package let isReloaded: Bool
    package let targetNanoseconds: Int64
    /// Time without change after which a live playlist stands still; `.max` for a playlist that does not change.
    package let standstillNanoseconds: Int64
    package let staleAfterTargets: Double
    private let body: [UInt8]
    private let memory: KeptMemory?
    private let reach: EdgeChecks.Edge
    private let halfTarget: Int64
    private let wholeTarget: Int64
    private let lastSegment: Int64

    package var hasParts: Bool { playlist.partTargetMicroseconds != nil }

    /// Counted bytes; 0 if small.
    package var keptBytes: Int { memory?.bytes ?? 0 }

    package let isMerged: Bool
    package let sight: PlaylistSight
    /// Nil without a difference, or without a digest by the server.
    package let mismatch: DeltaMismatch?
    /// Nil if viewers look for neither interstitials nor stitched breaks.
    package let schedule: BreakOffers?
    package let audience: AudienceFacts

    package init(
        version: Int,
        playlist: MediaPlaylist,
        announced: [ScheduledBreak],
        url: String,
        schedule: BreakOffers? = nil,
        body: [UInt8]? = nil,
        sight: PlaylistSight = PlaylistSight(),
        isMerged: Bool = false,
        mismatch: DeltaMismatch? = nil,
        audience: AudienceFacts = .none,
        staleAfterTargets: Double = Standstill.usualTargets,
        account: BodyBudget? = nil
    ) {
        memory = KeptMemory(playlist.keptBytes, account)
        (self.schedule, self.staleAfterTargets, self.audience) = (schedule, staleAfterTargets, audience)
        (self.version, self.sight, self.isMerged, self.mismatch) = (version, sight, isMerged, mismatch)
        (self.announced, self.url) = (announced, url)
        self.body = body ?? playlist.text
        reach = EdgeChecks.Edge(of: playlist)
        isReloaded = ReloadRule.isReloaded(playlist)
        targetNanoseconds = playlist.targetDurationNanoseconds
        let limit = Standstill.limit(targetDurationSeconds: playlist.targetDurationSeconds, targets: staleAfterTargets)
        standstillNanoseconds = ReloadRule.isReloaded(playlist) ? limit.nanosecondsHeld : .max
        halfTarget = ReloadRule.targetDuration.delayNanoseconds(after: playlist, changed: false)
        wholeTarget = ReloadRule.targetDuration.delayNanoseconds(after: playlist, changed: true)
        lastSegment = ReloadRule.lastSegmentDuration.delayNanoseconds(after: playlist, changed: true)
        let listed = playlist.segments.count
        let trailing = playlist.parts.lazy.filter { $0.segmentIndex == listed }
        let partial = trailing.reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        edge = playlist.endProgramDate.map { WallTime(microseconds: $0.microseconds.addingClamped(partial)) }
        dateJumps = playlist.dateJumps
        // Assigned last to avoid a copy for the reads above.
        self.playlist = playlist
    }

    package func isNews(after previous: SharedPlaylist?) -> Bool {
        guard let previous else { return true }
        guard version != previous.version else { return false }
        return reach != previous.reach || playlist.isUpdate(of: previous.playlist)
    }

    /// Nanoseconds from the start of this version's load to the next load by a player's rules; nil without a next load.
    ///
    /// `isNearEdge`: within four target durations of the edge.
    package func reloadDelay(_ facts: ReloadFacts, isNews: Bool, isNearEdge: Bool) -> Int64? {
        guard isReloaded else { return nil }
        guard isNews else { return facts.unchanged == .halfTarget ? halfTarget : lastSegment }
        switch facts.afterChange {
        case .lastSegment: return lastSegment
        case .targetDuration: return wholeTarget
        case .shorterNearEdge: return isNearEdge ? min(lastSegment, wholeTarget) : wholeTarget
        }
    }

    package func isBody(_ bytes: UnsafeRawBufferPointer) -> Bool { body.equals(bytes) }

    /// This version under another URL, without parsing it again.
    package func based(on base: String?) -> SharedPlaylist {
        guard let base, base != url else { return self }
        return SharedPlaylist(
            version: version,
            playlist: playlist,
            announced: announced,
            url: base,
            schedule: schedule,
            body: body,
            sight: sight,
            isMerged: isMerged,
            mismatch: mismatch,
            audience: audience,
            staleAfterTargets: staleAfterTargets
        )
    }

    /// A delta update must be merged before playback.
    package var isDelta: Bool { playlist.skippedSegments > 0 }

    /// Whether it has later segments or parts.
    package func reachesFurther(than earlier: SharedPlaylist) -> Bool { earlier.reach < reach }

    /// Nanoseconds before the next request if a server answers at once instead of holding it.
    package var pauseAfterNoHold: Int64 {
        let shortest: Int64 = 50_000_000
        let part = playlist.partTargetMicroseconds.map { min($0, 86_400_000_000) &* 1000 }
        return max((part ?? targetNanoseconds) / 2, shortest)
    }
}

extension [UInt8] {
    package func equals(_ body: UnsafeRawBufferPointer) -> Bool {
        guard count == body.count else { return false }
        guard let other = body.baseAddress else { return true }
        return withUnsafeBytes { own in
            own.baseAddress.map { memcmp($0, other, own.count) == 0 } ?? true
        }
    }
}

extension SharedPlaylist {
    /// Nanoseconds behind the wall clock; negative if the channel's dates are ahead by more than the player stays behind.
    package func startLatency(_ facts: PlaybackFacts, now: Instant, _ timebase: Timebase) -> Int64 {
        let distance = startDistance(facts.persona.start, isLowLatency: facts.persona.lowLatency.blocking != .never)
        guard let edge else { return distance }
        return now.nanoseconds(since: timebase.instant(of: edge)).addingClamped(distance)
    }

    /// Nanoseconds of the channel's clock behind this machine's; negative if ahead; 0 if the age also fits equal
    /// clocks.
    ///
    /// `ahead`: nanoseconds of the dates at the live edge ahead of the viewer's time line.
    package func clockLag(now: Instant, ahead: Int64, _ timebase: Timebase) -> Int64 {
        guard let edge else { return 0 }
        let seenAt = sight.at == .zero ? now : sight.at
        let age = seenAt.nanoseconds(since: timebase.instant(of: edge)).addingClamped(ahead)
        if age < 0 &- targetNanoseconds { return age }
        return age > targetNanoseconds.multipliedClamped(by: 2) ? age &- targetNanoseconds : 0
    }

    /// Nanoseconds from the live edge back to a player's start point.
    package func startDistance(_ facts: StartFacts, isLowLatency: Bool) -> Int64 {
        if facts.point == .startTagThenHoldBack, let start = playlist.head.startPoint {
            let whole = playlist.durationMicroseconds
            let offset = start.offsetMicroseconds
            let distance = offset < 0 ? offset == .min ? .max : -offset : whole &- min(offset, whole)
            return min(distance, whole, Self.dayMicroseconds) &* 1000
        }
        let control = playlist.serverControl
        let partHoldBack = isLowLatency && playlist.partTargetMicroseconds != nil ? control?.partHoldBackSeconds : nil
        if let seconds = partHoldBack ?? control?.holdBackSeconds { return Int64(min(max(seconds, 0), 86_400) * 1e9) }
        guard facts.point == .holdBackThenSegments else {
            let targets = min(max(facts.targets, 0), 1_000)
            return Int64(min(Double(targetNanoseconds) * targets, 86_400e9))
        }
        let count = Int(min(max(facts.targets, 0), 1_000))
        let sum = playlist.segments.suffix(count).reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        return min(sum, Self.dayMicroseconds) &* 1000
    }

    /// Microseconds before a break's start, counted from the live edge, by which a player must know it.
    ///
    /// Negative for a player that is further behind the edge than a playlist load takes.
    package func announcementLead(_ facts: PlaybackFacts) -> Int64 {
        let isLowLatency = facts.persona.lowLatency.blocking != .never
        // A server that holds a request answers it as soon as there is a new version.
        let isHeld = isLowLatency && playlist.serverControl?.canBlockReload == true
        let wait = isHeld ? 0 : targetNanoseconds
        return (wait &- startDistance(facts.persona.start, isLowLatency: isLowLatency)) / 1000
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
}
