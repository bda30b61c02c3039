import AdServing
import Audience
import HLS
import LoadProfile
import Recording
import Rulebook
import Time
import Viewer

/// Whether everybody gets the same pods, and one viewer the same when it asks again.
///
/// Confined to its loop. Bounded: what finds no room makes it forget all, so that a finding may be missed and none made up.
final class PodAgreementCheck: BreakCheck {
    private static let keptIdentifiers = 256
    private static let keptSummaries = 64

    /// Where a break lies, by the pod identifier that it was first asked for by.
    private var starts: [String: WallTime] = [:]
    /// What pods hold, by the fingerprint of the body: most viewers get the same.
    private var summaries: [UInt64: String] = [:]

    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        if examination.answer.role == .podManifest, examination.answer.sentAt != .zero { asked(subject) }
        switch content.content {
        case .pod(let playlist): compare(playlist, of: subject, examination)
        case .noPlaylist(_) where subject.facts.isOwn: compare(nil, of: subject, examination)
        case .repeated: compareRepeated(subject, examination)
        case .list(let list): compare(list, of: subject, examination)
        case .noPlaylist, .nothing, .segment, .asset, .noList: break
        }
    }

    // MARK: Pods

    /// Hashes a pod body with the viewer's own id masked, for the comparison between viewers, and looks for ids of others.
    ///
    /// A body that is no playlist (nil), one without media and a stale one are findings of their own and not another pod.
    private func compare(_ playlist: Playlist?, of subject: AuditSubject, _ examination: borrowing Examination) {
        let isManifest = examination.answer.role == .podManifest
        let isStale = isManifest && (playlist.map { foundStale($0, of: subject, examination) } ?? false)
        guard let own = examination.viewer.facts.streamID else { return }
        let (hash, foreign) = MaskedBody.fingerprint(examination.answer.body, own: own)
        if isManifest {
            examination.viewer.record.podFingerprint = hash
            if examination.viewer.context.plan.pods.repeatShare > 0, let playlist {
                examination.viewer.record.podSummary = summary(of: hash) { BodySummary.text(of: playlist, own: own) }
            }
        }
        let url = examination.answer.url
        if let foreign { examination.foundForeignID(foreign, own: own, url: url, breakSlot: subject.slot) }
        guard let playlist, playlist.holdsMedia, !isStale, examination.viewer.context.comparesPods, foreign == nil
        else { return }
        examination.viewer.context.sink.podObserved(
            subject.slot,
            .pod(subject.facts.planned.pathComponent + (isManifest ? "" : Self.rendition(of: url, own: own))),
            fingerprint: hash,
            viewer: examination.viewer.number,
            wallMicroseconds: examination.viewer.wallMicroseconds(examination.answer.doneAt),
            evidence: Evidence(
                url: examination.viewer.redacted(url),
                expected: "",
                observed: summary(of: hash) { BodySummary.text(of: playlist, own: own) }
            )
        )
    }

    /// Names a rendition of the pod by its URL less what is the viewer's own, so that like is compared with like.
    private static func rendition(of url: String, own: StreamID) -> String {
        var url = url
        let hash = url.withUTF8 { MaskedBody.fingerprint(UnsafeRawBufferPointer($0), own: own).hash }
        return " rendition \(hash.shortHex)"
    }

    private func summary(of fingerprint: UInt64, make: () -> String) -> String {
        if let known = summaries[fingerprint] { return known }
        if summaries.count >= Self.keptSummaries {
            summaries.removeAll()
        }
        let made = make()
        summaries[fingerprint] = made
        return made
    }

    private func compareRepeated(_ subject: AuditSubject, _ examination: borrowing Examination) {
        let record = examination.viewer.record
        guard let own = examination.viewer.facts.streamID, let first = record.podFingerprint else { return }
        let again = MaskedBody.fingerprint(examination.answer.body, own: own).hash
        guard again != first else { return }
        let other = (try? Playlist.parse(examination.answer.body)).map { BodySummary.text(of: $0, own: own) }
        let (expected, observed) = ContentSummary.difference(record.podSummary, other ?? "no playlist")
        examination.found(
            .podChangedOnRepeat,
            expected: "the pod of the first answer: \(expected)",
            observed: observed,
            breakSlot: subject.slot
        )
    }

    // MARK: Stale pods

    private func asked(_ subject: AuditSubject) {
        let identifier = subject.facts.planned.pathComponent
        guard starts[identifier] == nil else { return }
        if starts.count >= Self.keptIdentifiers {
            starts.removeAll()
        }
        starts[identifier] = subject.facts.planned.scheduled.start
    }

    /// Whether a pod's manifest names a break before the one that it was asked for; books it.
    ///
    /// Equal bodies alone say nothing, because creatives recur.
    private func foundStale(_ playlist: Playlist, of subject: AuditSubject, _ examination: borrowing Examination)
        -> Bool
    {
        guard let uri = playlist.firstURI, let named = PodIdentifier(inURL: uri) else { return false }
        let (name, asked) = (named.pathComponent, subject.facts.planned.pathComponent)
        guard name != asked, let start = starts[name], start < subject.facts.planned.scheduled.start else {
            return false
        }
        examination.found(
            .stalePod,
            expected: "the pod \(asked)",
            observed: "URIs of the pod \(name), of a break before",
            breakSlot: subject.slot
        )
        return true
    }

    // MARK: Asset lists

    /// Holds an asset list against those of other viewers where the channel says that they are the same
    /// (X-CONTENT-MAY-VARY=NO, bis-22 appendix D.2).
    private func compare(_ list: AssetList, of subject: AuditSubject, _ examination: borrowing Examination) {
        // A list may name the viewer's own session; one that begins in the middle is another list.
        guard examination.viewer.context.comparesPods, subject.facts.isSameForAll, !subject.facts.isTrimmed else {
            return
        }
        let (streamID, primaryID) = (examination.viewer.facts.streamID, examination.viewer.facts.primaryID)
        let url = examination.answer.url
        examination.viewer.context.sink.podObserved(
            subject.slot,
            .assetList("\(subject.facts.planned.pathComponent) \(subject.facts.planned.scheduled.key)"),
            fingerprint: list.fingerprint(withoutOwn: [primaryID, streamID?.rawValue ?? ""]),
            viewer: examination.viewer.number,
            wallMicroseconds: examination.viewer.wallMicroseconds(examination.answer.doneAt),
            evidence: Evidence(
                url: examination.viewer.redacted(url),
                expected: "",
                observed: BodySummary.text(of: list, own: streamID ?? StreamID(primaryID))
            )
        )
    }
}

extension Playlist {
    /// Whether there is anything in it to play.
    var holdsMedia: Bool {
        switch self {
        case .multivariant(let playlist): !playlist.variants.isEmpty
        case .media(let playlist): !playlist.segments.isEmpty
        }
    }

    /// The first reference that it makes to what is to be loaded.
    fileprivate var firstURI: String? {
        switch self {
        case .multivariant(let playlist): playlist.variants.first?.uri
        case .media(let playlist): playlist.segments.first.map { playlist.uri(of: $0) }
        }
    }
}
