import AdServing
import HLS
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
}
