package import AdServing
import Conformance
package import HLS
package import LoadProfile

/// What a loop notes of a version when it first sees it.
package struct PlaylistSight: Sendable {
    /// Monotonic nanoseconds.
    package let at: Int64
    /// START-DATE that an ID in it had before it was gone.
    var earlier = DateRangeHistory.Earlier()
    /// The rules that the body breaks by itself.
    var violations: [Violation] = []

    package init(at: Int64 = 0) {
        self.at = at
    }

    init(at: Int64, violations: [Violation]) {
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
    let edge: Int64
    /// Whether this version can be followed by another.
    let isReloaded: Bool
    let targetNanoseconds: Int64
    /// A live playlist that stays as it is for so long stands still; `.max` for one that does not change.
    let standstillNanoseconds: Int64
    private let body: [UInt8]
    private let endMediaSequence: UInt64
    /// Partial segments listed after the last whole one.
    private let trailingParts: Int
    private let halfTarget: Int64
    private let wholeTarget: Int64
    private let lastSegment: Int64

    /// True for a whole playlist that a delta update was merged to.
    let isMerged: Bool
    let sight: PlaylistSight
    /// How the merged playlist differs from what the server said that it should be; nil where it does not, or where the
    /// server did not say.
    let mismatch: DeltaMismatch?
    /// Interstitials and stitched breaks; nil where viewers look for neither.
    let schedule: InterstitialSchedule?
    /// What is held against what other viewers were given.
    package let audience: AudienceFacts

    package init(
        version: Int,
        playlist: MediaPlaylist,
        announced: [ScheduledBreak],
        url: String,
        schedule: InterstitialSchedule? = nil,
        body: [UInt8]? = nil,
        sight: PlaylistSight = PlaylistSight(),
        isMerged: Bool = false,
        mismatch: DeltaMismatch? = nil,
        audience: AudienceFacts = .none
    ) {
        self.schedule = schedule
        self.audience = audience
        self.version = version
        self.sight = sight
        self.isMerged = isMerged
        self.mismatch = mismatch
        self.playlist = playlist
        self.announced = announced
        self.url = url
        self.body = body ?? playlist.text
        self.endMediaSequence = playlist.endMediaSequence
        self.isReloaded = ReloadRule.isReloaded(playlist)
        self.targetNanoseconds = Duration.seconds(playlist.targetDurationSeconds).nanosecondsHeld
        self.standstillNanoseconds =
            ReloadRule.isReloaded(playlist)
            ? Standstill.limit(targetDurationSeconds: playlist.targetDurationSeconds).nanosecondsHeld : .max
        let byTarget = ReloadRule(basis: .targetDuration)
        let bySegment = ReloadRule(basis: .lastSegmentDuration)
        self.halfTarget = byTarget.delay(after: playlist, changed: false).nanosecondsHeld
        self.wholeTarget = byTarget.delay(after: playlist, changed: true).nanosecondsHeld
        self.lastSegment = bySegment.delay(after: playlist, changed: true).nanosecondsHeld
        let trailing = playlist.parts.lazy.filter { $0.segmentIndex == playlist.segments.count }
        self.trailingParts = trailing.count
        let partial = trailing.reduce(Int64(0)) { $0.later(by: $1.durationMicroseconds) }
        self.edge = playlist.endProgramDate.map { $0.microseconds.later(by: partial) } ?? .min
    }

    /// Whether this version brings anything new to a viewer that has `previous`; the first one does.
    package func isNews(after previous: SharedPlaylist?) -> Bool {
        guard let previous else { return true }
        guard self.version != previous.version else { return false }
        return self.endMediaSequence != previous.endMediaSequence || self.trailingParts != previous.trailingParts
            || self.playlist.isUpdate(of: previous.playlist)
    }

    /// Nanoseconds from the start of the load that brought this version to the next; nil when it is not loaded again.
    package func reloadDelay(_ basis: ReloadRule.Basis, isNews: Bool) -> Int64? {
        guard self.isReloaded else { return nil }
        guard isNews else { return self.halfTarget }
        switch basis {
        case .lastSegmentDuration: return self.lastSegment
        case .targetDuration: return self.wholeTarget
        }
    }

    /// The same by a player's own rules; near the edge is within four target durations of it.
    package func reloadDelay(_ facts: ReloadFacts, isNews: Bool, isNearEdge: Bool) -> Int64? {
        guard self.isReloaded else { return nil }
        guard isNews else { return facts.unchanged == .halfTarget ? self.halfTarget : self.lastSegment }
        switch facts.afterChange {
        case .lastSegment: return self.lastSegment
        case .targetDuration: return self.wholeTarget
        case .shorterNearEdge: return isNearEdge ? min(self.lastSegment, self.wholeTarget) : self.wholeTarget
        }
    }

    /// Whether an answer is this version, byte for byte.
    func isBody(_ bytes: UnsafeRawBufferPointer) -> Bool { self.body.equals(bytes) }

    /// The same version as another URL answers it; nothing is parsed again.
    func based(on base: String?) -> SharedPlaylist {
        guard let base, base != self.url else { return self }
        return SharedPlaylist(
            version: self.version,
            playlist: self.playlist,
            announced: self.announced,
            url: base,
            schedule: self.schedule,
            body: self.body,
            sight: self.sight,
            isMerged: self.isMerged,
            mismatch: self.mismatch,
            audience: self.audience
        )
    }

    /// A delta update: not to be played before it is merged.
    var isDelta: Bool { self.playlist.skippedSegments > 0 }

    /// Whether it has segments or parts at its end that an earlier version has not.
    func reachesFurther(than earlier: SharedPlaylist) -> Bool {
        (earlier.endMediaSequence, earlier.trailingParts) < (self.endMediaSequence, self.trailingParts)
    }

    /// Whether both list the same stretch of the channel, so that they should say the same of it.
    func isOfSameMoment(as other: SharedPlaylist) -> Bool {
        self.endMediaSequence == other.endMediaSequence && self.trailingParts == other.trailingParts
            && self.playlist.mediaSequence == other.playlist.mediaSequence
            && self.playlist.hasEndList == other.playlist.hasEndList
    }
}

/// Two playlists that should be one, as far as they can be told.
package struct DeltaMismatch: Sendable, Equatable {
    /// Of the whole playlist.
    let expected: String
    /// Of what the delta update was merged to.
    let observed: String

    /// Of the whole playlist only its digest is known (`MediaPlaylist.contentDigest`).
    init(expected: UInt64, observed: UInt64) {
        self.init(
            expected: "the whole playlist (\(String(expected, radix: 16)))",
            observed: "another one after the merge (\(String(observed, radix: 16)))"
        )
    }

    /// Nil where both list the same segments and date ranges; `own` is masked in what is shown.
    ///
    /// Hints, parts, and what is reported of other renditions change between two requests.
    init?(expected whole: MediaPlaylist, observed merged: MediaPlaylist, own: StreamID?) {
        guard
            whole.contentDigest != merged.contentDigest,
            let difference = Self.firstDifference(whole, merged, own: own)
        else { return nil }
        self.init(expected: "in the whole playlist: \(difference.0)", observed: "after the merge: \(difference.1)")
    }

    private init(expected: String, observed: String) {
        self.expected = expected
        self.observed = observed
    }

    /// The first segment in which they differ, else the first date range; nil where it is something else.
    private static func firstDifference(
        _ one: MediaPlaylist,
        _ other: MediaPlaylist,
        own: StreamID?
    ) -> (String, String)? {
        for index in 0..<max(one.segments.count, other.segments.count) {
            let (first, second) = (one.line(ofSegment: index, own: own), other.line(ofSegment: index, own: own))
            if first != second { return (first, second) }
        }
        for index in 0..<max(one.dateRanges.count, other.dateRanges.count) {
            let first = one.dateRanges.indices.contains(index) ? one.dateRanges[index] : nil
            let second = other.dateRanges.indices.contains(index) ? other.dateRanges[index] : nil
            guard first != second else { continue }
            return (first.shown(own), second.shown(own))
        }
        return nil
    }
}

extension MediaPlaylist {
    fileprivate func line(ofSegment index: Int, own: StreamID?) -> String {
        guard self.segments.indices.contains(index) else { return "no segment \(index + 1)" }
        let segment = self.segments[index]
        let name = BodySummary.name(of: self.uri(of: segment), own: own)
        let marks = (segment.isDiscontinuity ? ", discontinuity" : "") + (segment.isGap ? ", gap" : "")
        return "segment \(self.mediaSequence(at: index)), \(name), \(segment.durationMicroseconds / 1_000) ms\(marks)"
    }
}

extension DateRange? {
    /// Its identity and dates; attributes may hold what is nobody's business.
    fileprivate func shown(_ own: StreamID?) -> String {
        guard let range = self else { return "no further date range" }
        let dates = [range.startDate, range.endDate].compactMap { $0?.iso8601 }.joined(separator: " to ")
        return "date range \(Redaction.text(String(range.id.prefix(64)), own: own)) \(dates)"
    }
}
