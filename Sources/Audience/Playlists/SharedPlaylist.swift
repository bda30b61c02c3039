package import AdServing
package import Conformance
import Glibc
package import HLS
package import Players
import Time

/// What a loop notes of a version when it first sees it.
package struct PlaylistSight: Sendable {
    /// When that was; zero where it does not matter.
    package let at: Instant
    /// START-DATE that an ID in it had before it was gone.
    package var earlier = DateRangeHistory.Earlier()
    /// The rules that the body breaks by itself.
    package var violations: [Violation] = []

    package init(at: Instant = .zero) {
        self.at = at
    }

    package init(at: Instant, violations: [Violation]) {
        self.at = at
        self.violations = violations
    }
}

/// One version of a live playlist, parsed once for all viewers of a loop.
///
/// The reference is confined to its loop in practice; it is immutable, so that sharing it is safe anyway. What each poll
/// asks of a version is computed once and kept beside it.
package final class SharedPlaylist: Sendable {
    /// Rises with each new version of any playlist on this loop.
    package let version: Int
    package let playlist: MediaPlaylist
    /// Breaks that the playlist announces, by start.
    package let announced: [ScheduledBreak]
    /// URL that the playlist's references resolve against.
    package let url: String
    /// End of what is listed, partial segments included, as a date of the programme in microseconds; `.min` where the
    /// playlist has no dates.
    package let edge: Int64
    /// Whether this version can be followed by another.
    package let isReloaded: Bool
    package let targetNanoseconds: Int64
    /// A live playlist that stays as it is for so long stands still; `.max` for one that does not change.
    package let standstillNanoseconds: Int64
    /// The same in target durations, whether it changes or not.
    package let staleAfterTargets: Double
    private let body: [UInt8]
    private let memory: KeptMemory?
    private let endMediaSequence: UInt64
    /// Partial segments listed after the last whole one.
    private let trailingParts: Int
    private let halfTarget: Int64
    private let wholeTarget: Int64
    private let lastSegment: Int64

    /// Whether segments are published in parts.
    package var hasParts: Bool { playlist.partTargetMicroseconds != nil }

    /// The memory that it is counted with, in bytes; 0 where that is little.
    package var keptBytes: Int { memory?.bytes ?? 0 }

    /// True for a whole playlist that a delta update was merged to.
    package let isMerged: Bool
    package let sight: PlaylistSight
    /// How the merged playlist differs from what the server said that it should be; nil where it does not, or where the
    /// server did not say.
    package let mismatch: DeltaMismatch?
    /// Interstitials and stitched breaks; nil where viewers look for neither.
    package let schedule: BreakOffers?
    /// What is held against what other viewers were given.
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
        account: (any MemoryAccount)? = nil
    ) {
        memory = KeptMemory(playlist.keptBytes, account)
        self.schedule = schedule
        self.staleAfterTargets = staleAfterTargets
        self.audience = audience
        self.version = version
        self.sight = sight
        self.isMerged = isMerged
        self.mismatch = mismatch
        self.announced = announced
        self.url = url
        self.body = body ?? playlist.text
        endMediaSequence = playlist.endMediaSequence
        isReloaded = ReloadRule.isReloaded(playlist)
        targetNanoseconds = playlist.targetDurationNanoseconds
        let limit = Standstill.limit(
            targetDurationSeconds: playlist.targetDurationSeconds,
            targets: staleAfterTargets
        )
        standstillNanoseconds = ReloadRule.isReloaded(playlist) ? limit.nanosecondsHeld : .max
        let byTarget = ReloadRule(basis: .targetDuration)
        let bySegment = ReloadRule(basis: .lastSegmentDuration)
        halfTarget = byTarget.delayNanoseconds(after: playlist, changed: false)
        wholeTarget = byTarget.delayNanoseconds(after: playlist, changed: true)
        lastSegment = bySegment.delayNanoseconds(after: playlist, changed: true)
        let listed = playlist.segments.count
        let trailing = playlist.parts.lazy.filter { $0.segmentIndex == listed }
        trailingParts = trailing.count
        let partial = trailing.reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        edge = playlist.endProgramDate.map { $0.microseconds.addingClamped(partial) } ?? .min
        // Last, so that it need not be copied for what is read of it.
        self.playlist = playlist
    }

    /// Whether this version brings anything new to a viewer that has `previous`; the first one does.
    package func isNews(after previous: SharedPlaylist?) -> Bool {
        guard let previous else { return true }
        guard version != previous.version else { return false }
        return endMediaSequence != previous.endMediaSequence || trailingParts != previous.trailingParts
            || playlist.isUpdate(of: previous.playlist)
    }

    /// Nanoseconds from the start of the load that brought this version to the next; nil when it is not loaded again.
    package func reloadDelay(_ basis: ReloadRule.Basis, isNews: Bool) -> Int64? {
        guard isReloaded else { return nil }
        guard isNews else { return halfTarget }
        switch basis {
        case .lastSegmentDuration: return lastSegment
        case .targetDuration: return wholeTarget
        }
    }

    /// The same by a player's own rules; near the edge is within four target durations of it.
    package func reloadDelay(_ facts: ReloadFacts, isNews: Bool, isNearEdge: Bool) -> Int64? {
        guard isReloaded else { return nil }
        guard isNews else { return facts.unchanged == .halfTarget ? halfTarget : lastSegment }
        switch facts.afterChange {
        case .lastSegment: return lastSegment
        case .targetDuration: return wholeTarget
        case .shorterNearEdge: return isNearEdge ? min(lastSegment, wholeTarget) : wholeTarget
        }
    }

    /// Whether an answer is this version, byte for byte.
    package func isBody(_ bytes: UnsafeRawBufferPointer) -> Bool { body.equals(bytes) }

    /// The same version as another URL answers it; nothing is parsed again.
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

    /// A delta update: not to be played before it is merged.
    package var isDelta: Bool { playlist.skippedSegments > 0 }

    /// Whether it has segments or parts at its end that an earlier version has not.
    package func reachesFurther(than earlier: SharedPlaylist) -> Bool {
        (earlier.endMediaSequence, earlier.trailingParts) < (endMediaSequence, trailingParts)
    }

    /// Whether both list the same stretch of the channel, so that they should say the same of it.
    package func isOfSameMoment(as other: SharedPlaylist) -> Bool {
        endMediaSequence == other.endMediaSequence && trailingParts == other.trailingParts
            && playlist.mediaSequence == other.playlist.mediaSequence
            && playlist.hasEndList == other.playlist.hasEndList
    }
}

extension SharedPlaylist {
    /// A server that answers at once what it should have held is asked again after so many nanoseconds.
    package var pauseAfterNoHold: Int64 {
        let shortest: Int64 = 50_000_000
        let part = playlist.partTargetMicroseconds.map { min($0, 86_400_000_000) &* 1000 }
        return max((part ?? targetNanoseconds) / 2, shortest)
    }
}

extension [UInt8] {
    /// Whether a body is these bytes.
    package func equals(_ body: UnsafeRawBufferPointer) -> Bool {
        guard count == body.count else { return false }
        guard let other = body.baseAddress else { return true }
        return withUnsafeBytes { own in
            own.baseAddress.map { memcmp($0, other, own.count) == 0 } ?? true
        }
    }
}
