import AdServing
import HLS
import Rules
import Transport
import Values
import Viewer

/// Other checks judge errors.
struct BlockingReloadCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard examination.role == .blockingPlaylist else { return }
        let playlist = version.shared.playlist
        guard
            !examination.viewer.facts.askedForNoMore(than: version.shared, of: version.rendition),
            playlist.serverControl?.canBlockReload == true,
            let asked = try? DeliveryDirectives(in: examination.answer.url), !asked.areMet(by: playlist)
        else { return }
        let wanted = Self.name(asked.mediaSequence ?? 0, part: asked.part)
        let end = Self.name(
            playlist.endMediaSequence,
            part: playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        )
        let waited = max(0, examination.answer.firstByteAt &- examination.answer.sentAt) / 1_000_000
        examination.found(
            .blockingReloadIgnored,
            expected: "held until \(wanted) is there, or an error",
            observed: "after \(waited) ms a playlist that ends before \(end)",
            breakSlot: examination.playlistSlot
        )
    }

    private static func name(_ segment: UInt64, part: UInt64?) -> String {
        (part.map { "part \($0) of " } ?? "") + "segment \(segment)"
    }
}

struct BodyCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isChanged, examination.viewer.facts.isPresent else { return }
        Self.found(version.shared.sight.violations, examination)
    }

    static func found(_ violations: [Violation], _ examination: borrowing Examination) {
        let all = violations + examination.headViolations(offersGzip: examination.context.acceptsGzip)
        guard !all.isEmpty else { return }
        examination.found(all, breakSlot: examination.playlistSlot)
    }
}

/// Makes one finding per viewer and standstill.
struct StandstillCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        let shared = version.shared
        guard let previous = version.previous, examination.viewer.facts.isPresent, shared.isReloaded else { return }
        if let late = shared.sight.rhythm, version.isChanged {
            examination.found([late], breakSlot: examination.playlistSlot)
        }
        let since = examination.viewer.facts.changedAt(of: version.rendition)
        let unchanged = examination.answer.sentAt &- since
        guard unchanged >= shared.standstillNanoseconds, !version.isChanged || !shared.isNews(after: previous) else {
            return
        }
        let record = examination.viewer.record
        let watch = record.watch(
            version.rendition,
            generation: examination.viewer.facts.generation(of: version.rendition)
        )
        guard record.watches[watch].staleSince != since else { return }
        record.watches[watch].staleSince = since
        let violation = Standstill.violation(
            of: shared.playlist,
            unchangedFor: .nanoseconds(unchanged),
            targets: shared.staleAfterTargets
        )
        guard let violation else { return }
        examination.found([violation], breakSlot: examination.playlistSlot)
    }
}

/// Renditions may be of different age.
struct EdgeOrderCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isNew, let previous = version.previous else { return }
        let shared = version.shared
        guard case .older(let violation) = EdgeChecks.step(from: previous.playlist, to: shared.playlist) else { return }
        examination.viewer.found(
            violation.code,
            url: shared.url,
            expected: violation.expected,
            observed: violation.observed,
            breakSlot: breaks.slot(near: examination.wallTime, of: shared, for: examination.viewer),
            at: examination.answer.doneAt
        )
    }
}

/// Transitions are computed once for all viewers.
struct CourseCheck: VersionCheck {
    let library: PlaylistLibrary

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard let previous = version.previous, version.isChanged, examination.viewer.facts.isPresent else { return }
        let (record, index) = (examination.viewer.record, version.index)
        let generation = examination.viewer.facts.generation(of: version.rendition)
        guard
            record.isWatching(version.rendition, generation: generation)
                || !library.transition(from: previous, to: version.shared, at: index).isSilent
        else { return }
        let watch = record.watch(version.rendition, generation: generation)
        let violations = record.watches[watch].course.violations(of: version.shared, after: previous) { from, to in
            library.transition(from: from, to: to, at: index)
        }
        record.endWatchIfSettled(watch)
        guard !violations.isEmpty else { return }
        for (id, found) in Dictionary(grouping: violations, by: \.dateRangeID).sorted(by: {
            $0.key ?? "" < $1.key ?? ""
        }) {
            let notice = id.flatMap { id in
                version.shared.audience.notices.first { $0.scheduled.dateRangeID == id || $0.scheduled.key == id }
            }
            let slot = notice.map { examination.viewer.slot(of: $0, in: version.shared) }
            examination.found(found, breakSlot: slot ?? examination.playlistSlot)
        }
    }
}

struct ForeignSessionCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        let (shared, audience) = (version.shared, version.shared.audience)
        guard version.isNew, audience.namesSessions || audience.strangers != .none else { return }
        let slot = breaks.slot(near: examination.wallTime, of: shared, for: examination.viewer)
        guard audience.namesSessions else {
            examination.noteStrangers(audience.strangers, breakSlot: slot)
            return
        }
        shared.playlist.text.withUnsafeBytes {
            _ = examination.lookForForeignSession(in: $0, breakSlot: slot)
        }
    }
}
