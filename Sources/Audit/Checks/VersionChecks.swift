import AdServing
import HLS
import Results
import Rules
import Transport
import Values
import Viewer

extension Examination {
    /// Not called for a known version, unless `AuditContext.watchesRepeats` is set or the playlist stands still.
    func check(_ version: borrowing GivenVersion) {
        checkBlockingReload(version)
        checkBody(version)
        checkStandstill(version)
        checkCourse(version)
        checkEdgeOrder(version)
        checkDisagreement(version)
        checkForeignSession(version)
        checkAnnouncements(version)
        checkEarlyReturn(version)
    }

    /// Other checks judge errors.
    func checkBlockingReload(_ version: borrowing GivenVersion) {
        guard role == .blockingPlaylist,
            !viewer.facts[version.rendition].askedForNoMore(than: version.shared)
        else { return }
        let waited = Duration.nanoseconds(max(0, answer.firstByteAt &- answer.sentAt))
        let ignored = RoleChecks.ignoredBlocking(in: answer.url, by: version.shared.playlist, after: waited)
        if let ignored { found([ignored], breakSlot: playlistSlot) }
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
        let since = version.changedAt
        let unchanged = answer.sentAt &- since
        guard unchanged >= shared.standstillNanoseconds, !version.isChanged || !shared.isNews(after: previous) else {
            return
        }
        let watch = viewer.record.watch(version.rendition)
        guard watch.staleSince != since else { return }
        watch.staleSince = since
        let violation = Standstill.violation(
            of: shared.playlist,
            unchangedFor: .nanoseconds(unchanged),
            targets: shared.staleAfterTargets
        )
        guard let violation else { return }
        found([violation], breakSlot: playlistSlot)
    }

    /// Renditions may be of different age.
    func checkEdgeOrder(_ version: borrowing GivenVersion) {
        guard version.isNew, let previous = version.previous else { return }
        let shared = version.shared
        guard case .older(let violation) = EdgeChecks.step(from: previous.playlist, to: shared.playlist) else { return }
        let slot = checks.breaks.slot(near: wallTime, of: shared, for: viewer)
        viewer.found([violation], url: shared.url, breakSlot: slot, at: answer.doneAt)
    }

    /// Transitions are computed once for all viewers.
    func checkCourse(_ version: borrowing GivenVersion) {
        guard let previous = version.previous, version.isChanged, viewer.facts.isPresent else { return }
        let (record, known) = (viewer.record, version.known)
        let isWatched = record[version.rendition]?.watch != nil
        guard isWatched || !known.transition(from: previous, to: version.shared).isSilent else { return }
        let violations = record.watch(version.rendition).course.violations(of: version.shared, after: previous) {
            known.transition(from: $0, to: $1)
        }
        record.endWatchIfSettled(version.rendition)
        let byRange = Dictionary(grouping: violations, by: \.dateRangeID)
        for (id, ofRange) in byRange.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
            let notice = id.flatMap { id in
                version.shared.audience.notices.first { $0.scheduled.dateRangeID == id || $0.scheduled.key == id }
            }
            let slot = notice.map { viewer.slot(of: $0, in: version.shared) }
            found(ofRange, breakSlot: slot ?? playlistSlot)
        }
    }

    func checkForeignSession(_ version: borrowing GivenVersion) {
        let (shared, audience) = (version.shared, version.shared.audience)
        guard version.isNew, audience.namesSessions || audience.strangers != .none else { return }
        let slot = checks.breaks.slot(near: wallTime, of: shared, for: viewer)
        guard audience.namesSessions else { return noteStrangers(audience.strangers, breakSlot: slot) }
        shared.playlist.text.withUnsafeBytes { _ = lookForForeignSession(in: $0, breakSlot: slot) }
    }

    func checkAnnouncements(_ version: borrowing GivenVersion) {
        guard version.isNew, version.rendition == .video else { return }
        let shared = version.shared
        if version.latest?.audience.digest != shared.audience.digest { observe(shared, after: version.latest) }
        for slot in checks.breaks.lacking(shared, of: version.known) {
            context.recorder.withKeptBreak(slot) {
                $0.announcements.lacked(at: viewer.moment(answer.doneAt)) {
                    evidence(
                        url: shared.url,
                        expected: "the break's date range, as in other answers of this playlist",
                        observed: "a playlist over the break without it"
                    )
                }
            }
        }
    }

    private func observe(_ shared: SharedPlaylist, after latest: SharedPlaylist?) {
        let (playlist, wall) = (shared.sharedName, wallTime)
        for notice in shared.audience.notices {
            viewer.record.list(notice.scheduled.start.microseconds)
            let before = latest?.audience.notices.first { $0.scheduled.key == notice.scheduled.key }
            guard before != notice else { continue }
            let announced = checks.breaks.announced(notice, now: wall, slot: viewer.slot(of: notice, in: shared))
            guard let slot = announced, !notice.attributes.isEmpty, before?.fingerprint != notice.fingerprint else {
                continue
            }
            var fingerprint = FNV1a(after: notice.fingerprint)
            fingerprint.add(playlist.utf8)
            context.recorder.withKeptBreak(slot) {
                $0.announcements.announced(
                    fingerprint.value,
                    at: viewer.moment(answer.doneAt),
                    url: { viewer.redacted(shared.url) },
                    announcement: {
                        Announcement(
                            playlist: Redaction.url(playlist, own: nil),
                            attributes: Redaction.attributes(notice.attributes, own: viewer.facts.streamID),
                            times: notice.times
                        )
                    }
                )
            }
        }
    }
}

extension Examination {
    private static let keptReturns = 8

    /// Finds viewers that are not told in time of an early return, though another viewer was.
    func checkEarlyReturn(_ version: borrowing GivenVersion) {
        guard version.rendition == .video else { return }
        for index in checks.earlyReturns.indices { checkMissed(index, version.shared) }
        guard version.isNew, let latest = version.latest, latest.audience.digest != version.shared.audience.digest
        else { return }
        let half = Duration.nanoseconds(version.shared.targetNanoseconds) / 2
        for notice in version.shared.audience.notices {
            let key = notice.scheduled.key
            guard let before = latest.audience.notices.first(where: { $0.scheduled.key == key }),
                notice.end <= before.end - half, let slot = checks.breaks.slot(ofKey: key),
                !checks.earlyReturns.contains(where: { $0.key == key })
            else { continue }
            let early = EarlyReturn(key: key, slot: slot, end: notice.end, firstAt: answer.doneAt)
            checks.earlyReturns.append(early, atMost: Self.keptReturns)
            context.watchesRepeats = true
        }
    }

    /// No update may come later than 1.5 target durations (bis-22 section 6.2.1).
    private func checkMissed(_ index: Int, _ shared: SharedPlaylist) {
        let target = shared.targetNanoseconds
        let early = checks.earlyReturns[index]
        let since = answer.sentAt.nanoseconds(since: early.firstAt)
        guard since > target / 2 * 3,
            let notice = shared.audience.notices.first(where: { $0.scheduled.key == early.key }),
            notice.end > early.end + .nanoseconds(target) / 2,
            checks.earlyReturns[index].missed.insert(viewer.number).inserted
        else { return }
        let late = Duration.nanoseconds(since) / .seconds(1)
        let evidence = Evidence(
            url: viewer.redacted(shared.url),
            expected: "a break that is over at \(early.end.iso8601), as another viewer was told",
            observed: "over at \(notice.end.iso8601), \((late * 10).rounded() / 10) s after the other viewer knew"
        )
        viewer.found(.earlyReturnMissed, evidence, breakSlot: early.slot, at: answer.doneAt)
    }
}

extension Examination {
    /// Compares the newest segments of each playlist between edges.
    func checkDisagreement(_ version: borrowing GivenVersion) {
        guard version.isNew else { return }
        let (shared, known) = (version.shared, version.known)
        if shared.version > known.compared {
            known.compared = shared.version
            compare(shared, of: known)
        }
        for (mediaSequence, slot) in known.conflicts {
            viewer.cast(mediaSequence, of: shared, slot: slot, served: servedBy, at: answer.doneAt)
        }
    }

    private func compare(_ shared: SharedPlaylist, of known: KnownPlaylist) {
        for other in known.versions where other.version != shared.version && !other.isDelta {
            // Stitched ads may legitimately differ; another check compares them.
            let ads = shared.stitchedSequences.union(other.stitchedSequences)
            guard let found = EdgeChecks.disagreement(other.playlist, shared.playlist, except: ads) else { continue }
            let date = found.second.programMilliseconds.map { WallTime(microseconds: $0 &* 1_000) }
            let slot = checks.breaks.slot(near: date ?? wallTime, of: shared, for: viewer)
            guard known.addConflict(at: found.mediaSequence, slot) else { continue }
            castOfOthers(found.mediaSequence, of: known, slot: slot)
        }
    }

    private func castOfOthers(_ mediaSequence: UInt64, of known: KnownPlaylist, slot: BreakSlot) {
        let (context, now) = (context, answer.doneAt)
        context.forEachViewer?({ record, facts in
            let renditions = record.renditions(of: known)
            guard !renditions.isEmpty else { return }
            let other = AuditedViewer(facts: facts(), record: record, context: context)
            for rendition in renditions {
                guard let latest = other.facts[rendition].latest else { continue }
                other.cast(mediaSequence, of: latest, slot: slot, at: now)
            }
        })
    }
}

extension AuditedViewer {
    fileprivate func cast(
        _ mediaSequence: UInt64,
        of shared: SharedPlaylist,
        slot: BreakSlot,
        served: @autoclosure () -> ServedBy = .unknown,
        at now: Instant
    ) {
        guard let facts = EdgeChecks.facts(of: mediaSequence, in: shared.playlist) else { return }
        context.recorder.given(
            .edgeContentDiffers,
            subject: "\(shared.sharedName), media sequence \(mediaSequence)",
            fingerprint: facts.fingerprint,
            breakSlot: slot,
            at: moment(now),
            evidence: Evidence(
                url: redacted(shared.url),
                observed: Redaction.url(facts.text, own: self.facts.streamID),
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
