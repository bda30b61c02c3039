import AdServing
import HLS
import Results
import Rules
import Transport
import Values
import Viewer

extension Examination {
    /// Other checks judge errors.
    func checkBlockingReload(_ version: borrowing GivenVersion) {
        guard role == .blockingPlaylist else { return }
        let playlist = version.shared.playlist
        guard !viewer.facts.askedForNoMore(than: version.shared, of: version.rendition),
            playlist.serverControl?.canBlockReload == true,
            let asked = try? DeliveryDirectives(in: answer.url), !asked.areMet(by: playlist)
        else { return }
        func name(_ segment: UInt64, part: UInt64?) -> String {
            (part.map { "part \($0) of " } ?? "") + "segment \(segment)"
        }
        let trailing = playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        let waited = max(0, answer.firstByteAt &- answer.sentAt) / 1_000_000
        found(
            .blockingReloadIgnored,
            expected: "held until \(name(asked.mediaSequence ?? 0, part: asked.part)) is there, or an error",
            observed:
                "after \(waited) ms a playlist that ends before \(name(playlist.endMediaSequence, part: trailing))",
            breakSlot: playlistSlot
        )
    }

    func checkBody(_ version: borrowing GivenVersion) {
        guard version.isChanged, viewer.facts.isPresent else { return }
        foundInBody(version.shared.sight.violations)
    }

    func foundInBody(_ violations: [Violation]) {
        let all = violations + headViolations(offersGzip: context.acceptsGzip)
        if !all.isEmpty { found(all, breakSlot: playlistSlot) }
    }

    /// Makes one finding per viewer and standstill.
    func checkStandstill(_ version: borrowing GivenVersion) {
        let shared = version.shared
        guard let previous = version.previous, viewer.facts.isPresent, shared.isReloaded else { return }
        if let late = shared.sight.rhythm, version.isChanged { found([late], breakSlot: playlistSlot) }
        let since = viewer.facts.changedAt(of: version.rendition)
        let unchanged = answer.sentAt &- since
        guard unchanged >= shared.standstillNanoseconds, !version.isChanged || !shared.isNews(after: previous) else {
            return
        }
        let record = viewer.record
        let watch = record.watch(version.rendition, generation: viewer.facts.generation(of: version.rendition))
        guard record.watches[watch].staleSince != since else { return }
        record.watches[watch].staleSince = since
        let violation = Standstill.violation(
            of: shared.playlist,
            unchangedFor: .nanoseconds(unchanged),
            targets: shared.staleAfterTargets
        )
        guard let violation else { return }
        found([violation], breakSlot: playlistSlot)
    }

    /// Renditions may be of different age.
    func checkEdgeOrder(_ version: borrowing GivenVersion, _ breaks: KnownBreaks) {
        guard version.isNew, let previous = version.previous else { return }
        let shared = version.shared
        guard case .older(let violation) = EdgeChecks.step(from: previous.playlist, to: shared.playlist) else { return }
        viewer.found(
            violation.code,
            url: shared.url,
            expected: violation.expected,
            observed: violation.observed,
            breakSlot: breaks.slot(near: wallTime, of: shared, for: viewer),
            at: answer.doneAt
        )
    }

    /// Transitions are computed once for all viewers.
    func checkCourse(_ version: borrowing GivenVersion, _ library: PlaylistLibrary) {
        guard let previous = version.previous, version.isChanged, viewer.facts.isPresent else { return }
        let (record, index) = (viewer.record, version.index)
        let generation = viewer.facts.generation(of: version.rendition)
        guard
            record.isWatching(version.rendition, generation: generation)
                || !library.transition(from: previous, to: version.shared, at: index).isSilent
        else { return }
        let watch = record.watch(version.rendition, generation: generation)
        let violations = record.watches[watch].course.violations(of: version.shared, after: previous) { from, to in
            library.transition(from: from, to: to, at: index)
        }
        record.endWatchIfSettled(watch)
        let byRange = Dictionary(grouping: violations, by: \.dateRangeID)
        for (id, ofRange) in byRange.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
            let notice = id.flatMap { id in
                version.shared.audience.notices.first { $0.scheduled.dateRangeID == id || $0.scheduled.key == id }
            }
            let slot = notice.map { viewer.slot(of: $0, in: version.shared) }
            found(ofRange, breakSlot: slot ?? playlistSlot)
        }
    }

    func checkForeignSession(_ version: borrowing GivenVersion, _ breaks: KnownBreaks) {
        let (shared, audience) = (version.shared, version.shared.audience)
        guard version.isNew, audience.namesSessions || audience.strangers != .none else { return }
        let slot = breaks.slot(near: wallTime, of: shared, for: viewer)
        guard audience.namesSessions else { return noteStrangers(audience.strangers, breakSlot: slot) }
        shared.playlist.text.withUnsafeBytes { _ = lookForForeignSession(in: $0, breakSlot: slot) }
    }

    func checkAnnouncements(_ version: borrowing GivenVersion, _ breaks: KnownBreaks) {
        guard version.isNew, version.rendition == .video else { return }
        let shared = version.shared
        if version.latest?.audience.digest != shared.audience.digest { observe(shared, after: version.latest, breaks) }
        for slot in breaks.lacking(shared, at: version.index) {
            context.recorder.breakLacked(
                slot,
                at: viewer.moment(answer.doneAt),
                evidence: evidence(
                    url: shared.url,
                    expected: "the break's date range, as in other answers of this playlist",
                    observed: "a playlist over the break without it"
                )
            )
        }
    }

    private func observe(_ shared: SharedPlaylist, after latest: SharedPlaylist?, _ breaks: KnownBreaks) {
        let (playlist, wall) = (shared.sharedName, wallTime)
        for notice in shared.audience.notices {
            viewer.record.list(notice.scheduled.start.microseconds)
            let before = latest?.audience.notices.first { $0.scheduled.key == notice.scheduled.key }
            guard before != notice else { continue }
            let announced = breaks.announced(notice, now: wall, slot: viewer.slot(of: notice, in: shared))
            guard let slot = announced, !notice.attributes.isEmpty, before?.fingerprint != notice.fingerprint else {
                continue
            }
            var fingerprint = FNV1a(after: notice.fingerprint)
            fingerprint.add(playlist.utf8)
            context.recorder.breakAnnounced(
                slot,
                fingerprint: fingerprint.value,
                at: viewer.moment(answer.doneAt),
                url: viewer.redacted(shared.url),
                announcement: Announcement(
                    playlist: Redaction.url(playlist, own: nil),
                    attributes: Redaction.attributes(notice.attributes, own: viewer.facts.streamID),
                    times: notice.times
                )
            )
        }
    }
}

/// Finds viewers that are not told in time of an early return, though another viewer was.
final class EarlyReturnCheck {
    private struct EarlyReturn {
        let key: String
        let slot: BreakSlot
        let end: WallTime
        /// When the first viewer knew.
        let firstAt: Instant
        var missed: Set<Int> = []
    }

    private static let keptReturns = 8

    private var returns: [EarlyReturn] = []

    func examine(_ version: borrowing GivenVersion, _ breaks: KnownBreaks, _ examination: borrowing Examination) {
        guard version.rendition == .video else { return }
        for index in returns.indices { missed(index, version.shared, examination) }
        guard version.isNew, let latest = version.latest, latest.audience.digest != version.shared.audience.digest
        else { return }
        let half = Duration.nanoseconds(version.shared.targetNanoseconds) / 2
        for notice in version.shared.audience.notices {
            let key = notice.scheduled.key
            guard let before = latest.audience.notices.first(where: { $0.scheduled.key == key }),
                notice.end <= before.end - half, let slot = breaks.slot(ofKey: key),
                !returns.contains(where: { $0.key == key })
            else { continue }
            let early = EarlyReturn(key: key, slot: slot, end: notice.end, firstAt: examination.answer.doneAt)
            returns.append(early, atMost: Self.keptReturns)
            examination.context.watchesRepeats = true
        }
    }

    /// No update may come later than 1.5 target durations (bis-22 section 6.2.1).
    private func missed(_ index: Int, _ shared: SharedPlaylist, _ examination: borrowing Examination) {
        let target = shared.targetNanoseconds
        let early = returns[index]
        let since = examination.answer.sentAt.nanoseconds(since: early.firstAt)
        guard since > target / 2 * 3,
            let notice = shared.audience.notices.first(where: { $0.scheduled.key == early.key }),
            notice.end > early.end + .nanoseconds(target) / 2,
            returns[index].missed.insert(examination.viewer.number).inserted
        else { return }
        let late = Duration.nanoseconds(since) / .seconds(1)
        examination.viewer.found(
            .earlyReturnMissed,
            url: shared.url,
            expected: "a break that is over at \(early.end.iso8601), as another viewer was told",
            observed: "over at \(notice.end.iso8601), \((late * 10).rounded() / 10) s after the other viewer knew",
            breakSlot: early.slot,
            at: examination.answer.doneAt
        )
    }
}

/// Bounded: the oldest breaks are forgotten.
final class KnownBreaks {
    private struct Known {
        let key: String
        let slot: BreakSlot
        let start: WallTime
        let end: WallTime
        var earliestEnd: WallTime
        /// Beginning of the last version that announced the break while covering its start; earlier versions must announce it,
        /// too.
        var confirmed: [PlaylistLibrary.Index: WallTime] = [:]
    }

    private static let keptBreaks = 32
    private static let keptVersions = 8

    private var known: [Known] = []
    /// Rises when the result for a version may change.
    private var revision = 0
    private var lacking: [Int: (revision: Int, slots: [BreakSlot])] = [:]

    /// Nil for a break that had begun before this loop knew of it.
    func announced(_ notice: BreakNotice, now: WallTime, slot: @autoclosure () -> BreakSlot) -> BreakSlot? {
        if let index = index(of: notice.scheduled.key) {
            if notice.end < known[index].earliestEnd {
                known[index].earliestEnd = notice.end
                revision += 1
            }
            return known[index].slot
        }
        guard notice.scheduled.start > now else { return nil }
        let slot = slot()
        let (key, start, end) = (notice.scheduled.key, notice.scheduled.start, notice.scheduled.end)
        let new = Known(key: key, slot: slot, start: start, end: end, earliestEnd: notice.end)
        known.append(new, atMost: Self.keptBreaks)
        revision += 1
        return slot
    }

    private func index(of key: String) -> Int? { known.firstIndex { $0.key == key } }

    func slot(ofKey key: String) -> BreakSlot? { index(of: key).map { known[$0].slot } }

    /// Slots of breaks that other versions announce and this one lacks.
    ///
    /// A playlist may drop a break whose start it does not cover, but must do so for all viewers.
    func lacking(_ shared: SharedPlaylist, at playlist: PlaylistLibrary.Index) -> [BreakSlot] {
        if let kept = lacking[shared.version], kept.revision == revision { return kept.slots }
        let facts = shared.audience
        guard let covered = facts.covered else { return [] }
        let slack = Duration.nanoseconds(shared.targetNanoseconds)
        var slots: [BreakSlot] = []
        for index in known.indices {
            let start = known[index].start
            guard start + slack * 3 / 2 <= covered.upperBound else { continue }
            let coversStart = covered.lowerBound <= start
            let last = known[index].confirmed[playlist]
            if facts.notices.contains(where: { $0.scheduled.key == known[index].key }) {
                guard last.map({ $0 < covered.lowerBound }) ?? coversStart else { continue }
                known[index].confirmed[playlist] = covered.lowerBound
                revision += 1
            } else if let last, !Self.announces(facts, near: start, within: slack) {
                let isOwed = last > covered.lowerBound && covered.lowerBound + slack * 3 / 2 <= known[index].earliestEnd
                if coversStart || isOwed { slots.append(known[index].slot) }
            }
        }
        lacking.keep((revision, slots), for: shared.version, atMost: Self.keptVersions)
        return slots
    }

    /// Whether a break near `start` is announced: another name of the break is then the real problem.
    private static func announces(_ facts: AudienceFacts, near start: WallTime, within slack: Duration) -> Bool {
        facts.notices.contains { $0.scheduled.start > start - slack && $0.scheduled.start < start + slack }
    }

    /// The viewer's own break within three target durations, else an announced one.
    func slot(near date: WallTime, of shared: SharedPlaylist, for viewer: borrowing AuditedViewer) -> BreakSlot {
        let slack = Duration.nanoseconds(shared.targetNanoseconds) * 3
        if let current = viewer.record.current, current.planned.scheduled.isNear(date, within: slack) {
            return current.slot
        }
        return known.last { date >= $0.start - slack && date <= $0.end + slack }?.slot ?? .outside
    }
}

/// Bounded: only the newest segments of each playlist are kept.
final class DisagreementCheck {
    private static let keptConflicts = 8

    /// Keyed by media sequence number.
    private var conflicts: [PlaylistLibrary.Index: [UInt64: BreakSlot]] = [:]
    private var examined: [PlaylistLibrary.Index: Int] = [:]

    func examine(_ version: borrowing GivenVersion, _ checks: CheckList, _ examination: borrowing Examination) {
        guard version.isNew else { return }
        if version.shared.version > examined[version.index] ?? 0 {
            examined[version.index] = version.shared.version
            compare(version.shared, at: version.index, checks, examination)
        }
        guard let known = conflicts[version.index] else { return }
        for (mediaSequence, slot) in known {
            Self.cast(
                mediaSequence,
                of: version.shared,
                slot: slot,
                examination.viewer,
                served: examination.servedBy,
                at: examination.answer.doneAt
            )
        }
    }

    private func compare(
        _ shared: SharedPlaylist,
        at index: PlaylistLibrary.Index,
        _ checks: CheckList,
        _ examination: borrowing Examination
    ) {
        for other in checks.library.versions(at: index) where other.version != shared.version && !other.isDelta {
            // Stitched ads may legitimately differ; another check compares them.
            let ads = shared.stitchedSequences.union(other.stitchedSequences)
            guard let found = EdgeChecks.disagreement(other.playlist, shared.playlist, except: ads) else { continue }
            let date = found.second.programMilliseconds.map { WallTime(microseconds: $0 &* 1_000) }
            let slot = checks.breaks.slot(near: date ?? examination.wallTime, of: shared, for: examination.viewer)
            guard isNews(found.mediaSequence, at: index, slot: slot) else { continue }
            castOfOthers(found.mediaSequence, at: index, slot: slot, examination)
        }
    }

    private func isNews(_ mediaSequence: UInt64, at index: PlaylistLibrary.Index, slot: BreakSlot) -> Bool {
        var known = conflicts[index] ?? [:]
        guard known.updateValue(slot, forKey: mediaSequence) == nil else { return false }
        if known.count > Self.keptConflicts, let oldest = known.keys.min() { known[oldest] = nil }
        conflicts[index] = known
        return true
    }

    private func castOfOthers(
        _ mediaSequence: UInt64,
        at index: PlaylistLibrary.Index,
        slot: BreakSlot,
        _ examination: borrowing Examination
    ) {
        let now = examination.answer.doneAt
        examination.context.audience?.forEachViewer { record, facts in
            let renditions = record.renditions(at: index)
            guard !renditions.isEmpty else { return }
            let other = AuditedViewer(facts: facts(), record: record, context: examination.context)
            for rendition in renditions {
                guard let latest = other.facts.latest(of: rendition) else { continue }
                Self.cast(mediaSequence, of: latest, slot: slot, other, at: now)
            }
        }
    }

    private static func cast(
        _ mediaSequence: UInt64,
        of shared: SharedPlaylist,
        slot: BreakSlot,
        _ viewer: borrowing AuditedViewer,
        served: @autoclosure () -> ServedBy = .unknown,
        at now: Instant
    ) {
        guard let facts = EdgeChecks.facts(of: mediaSequence, in: shared.playlist) else { return }
        viewer.context.recorder.given(
            .edgeContentDiffers,
            subject: "\(shared.sharedName), media sequence \(mediaSequence)",
            fingerprint: facts.fingerprint,
            breakSlot: slot,
            at: viewer.moment(now),
            evidence: Evidence(
                url: viewer.redacted(shared.url),
                expected: "",
                observed: Redaction.url(facts.text, own: viewer.facts.streamID),
                served: served()
            )
        )
    }
}

extension SharedPlaylist {
    /// Earlier path components may be an edge's or a session's own.
    fileprivate var sharedName: String {
        url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// Includes ads of a break that began before the playlist.
    fileprivate var stitchedSequences: Set<UInt64> {
        var ads = Set((schedule?.stitched ?? []).flatMap { $0.segments.map(\.sequence) })
        if let rest = playlist.restOfStitchedBreak { ads.formUnion(rest) }
        return ads
    }
}
