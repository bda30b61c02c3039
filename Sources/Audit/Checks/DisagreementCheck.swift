import AdServing
import HLS
import Results
import Rules
import Transport
import Values
import Viewer

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
            subject: "\(SharedName.playlist(shared.url)), media sequence \(mediaSequence)",
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
    /// Includes ads of a break that began before the playlist.
    fileprivate var stitchedSequences: Set<UInt64> {
        var ads = Set((schedule?.stitched ?? []).flatMap { $0.segments.map(\.sequence) })
        if let rest = playlist.restOfStitchedBreak { ads.formUnion(rest) }
        return ads
    }
}
