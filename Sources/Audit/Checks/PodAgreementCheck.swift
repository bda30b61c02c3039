import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

/// A full store is cleared, so that a finding may be missed but none made up.
final class PodAgreementCheck {
    private static let keptIdentifiers = 256
    private static let keptPods = 256

    /// Keyed by the pod identifier of the first request.
    private var starts: [String: WallTime] = [:]
    /// Keyed by the fingerprint of the body without the viewer's own id.
    private var pods: [UInt64: GivenPod] = [:]

    func examine(_ content: GivenContent, of subject: AuditSubject, _ examination: borrowing Examination) {
        if examination.role == .podManifest, examination.answer.sentAt != .zero { asked(subject) }
        switch content {
        case .pod(let playlist): compare(playlist, of: subject, examination)
        case .noPlaylist(_) where subject.facts.isOwn: compare(nil, of: subject, examination)
        case .repeated(let playlist): compareRepeated(playlist, of: subject, examination)
        case .list(let list): compare(list, of: subject, examination)
        case .noPlaylist, .nothing, .segment, .asset, .noList: break
        }
    }

    /// A manifest is compared by its renditions, and a rendition by what is played: URLs do not identify ads.
    ///
    /// A body without media and a stale one are findings of their own.
    private func compare(_ playlist: Playlist?, of subject: AuditSubject, _ examination: borrowing Examination) {
        let isManifest = examination.role == .podManifest
        let isStale = isManifest && (playlist.map { foundStale($0, of: subject, examination) } ?? false)
        let isLeak = examination.lookForForeignSession(
            in: examination.answer.body,
            breakSlot: subject.slot,
            isCompared: true
        )
        guard let playlist, Self.isCompared(isManifest, examination) else { return }
        let known = summary(of: playlist, examination)
        let isSound = !isStale && !isLeak && playlist.holdsMedia
        if isManifest { examination.viewer.record.pod = PodInHand(known, isSound: isSound) }
        guard let pod = examination.viewer.record.pod else { return }
        let rendition = subject.asset?.variant.flatMap { pod.manifest.ladder?.rendition(ofVariant: $0) }
        if !isManifest, let rendition { pod.rendition = (rendition, known) }
        guard isSound, pod.isSound else { return }
        let identifier = subject.facts.planned.pathComponent
        let content: ComparedContent
        if known.ladder != nil {
            content = .ladder(ofPod: identifier)
        } else if isManifest {
            content = .pod(identifier)
        } else if let rendition {
            content = .rendition(rendition, ofPod: identifier)
        } else {
            return
        }
        let group = known.ladder == nil ? examination.viewer.group : examination.viewer.ladderGroup
        guard let group else { return }
        examination.observed(content.of(group), of: subject.slot, fingerprint: known.fingerprint, known.text)
    }

    private static func isCompared(_ isManifest: Bool, _ examination: borrowing Examination) -> Bool {
        if examination.viewer.group != nil || examination.context.plan.pods.repeatShare > 0 { return true }
        return isManifest && examination.viewer.ladderGroup != nil
    }

    private func summary(of playlist: Playlist, _ examination: borrowing Examination) -> GivenPod {
        let own = examination.viewer.facts.streamID
        // Most viewers get the same bytes except for their own id.
        let body = MaskedBody.fingerprint(examination.answer.body, own: own ?? StreamID(""))
        if let known = pods[body] { return known }
        let made = GivenPod(playlist, examination.viewer.played, own: own)
        pods.keep(made, for: body, atMost: Self.keptPods)
        return made
    }

    private func compareRepeated(
        _ playlist: Playlist?,
        of subject: AuditSubject,
        _ examination: borrowing Examination
    ) {
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: subject.slot)
        guard let pod = examination.viewer.record.pod else { return }
        let again = playlist.map { summary(of: $0, examination) }
        guard examination.role == .podRepeatPlaylist else {
            if again?.fingerprint != pod.manifest.fingerprint {
                found(again, inPlaceOf: pod.manifest, of: subject, examination)
            } else {
                pod.repeatedLadder = again?.ladder
            }
            return
        }
        // The loaded rendition may have changed with the bit rates.
        guard let name = pod.repeatedLadder?.rendition(ofVariant: Int(examination.index)),
            let first = pod.rendition, first.name == name, again?.fingerprint != first.pod.fingerprint
        else { return }
        found(again, inPlaceOf: first.pod, of: subject, examination)
    }

    private func found(
        _ again: GivenPod?,
        inPlaceOf first: GivenPod,
        of subject: AuditSubject,
        _ examination: borrowing Examination
    ) {
        let difference = ContentSummary.difference(first.text, again?.text ?? "no playlist")
        examination.found(
            .podChangedOnRepeat,
            expected: "the pod of the first answer: \(difference.expected)",
            observed: again == nil ? difference.observed : "\(difference.kind): \(difference.observed)"
        )
    }

    private func asked(_ subject: AuditSubject) {
        let identifier = subject.facts.planned.pathComponent
        guard starts[identifier] == nil else { return }
        starts.keep(subject.facts.planned.scheduled.start, for: identifier, atMost: Self.keptIdentifiers)
    }

    /// Equal bodies alone prove nothing, because creatives recur.
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
            observed: "URIs of the pod \(name), of a break before"
        )
        return true
    }

    private func compare(_ list: AssetList, of subject: AuditSubject, _ examination: borrowing Examination) {
        // A list that begins in the middle differs legitimately.
        let group = examination.viewer.assetGroup(mayVary: !subject.facts.isSameForAll)
        guard let group, !subject.facts.isTrimmed else { return }
        let (streamID, primaryID) = (examination.viewer.facts.streamID, examination.viewer.facts.primaryID)
        let name = "\(subject.facts.planned.pathComponent) \(subject.facts.planned.scheduled.key)"
        examination.observed(
            .assetList(name).of(group),
            of: subject.slot,
            fingerprint: examination.viewer.played.fingerprint(of: list),
            BodySummary.text(of: list, own: streamID ?? StreamID(primaryID))
        )
    }
}

extension ComparedContent {
    func of(_ group: Matching.Group) -> ComparedContent {
        switch group {
        case .everybody: self
        case .cohort(let name): .ofCohort(name, self)
        }
    }
}

extension Playlist {
    var holdsMedia: Bool {
        switch self {
        case .multivariant(let playlist): !playlist.variants.isEmpty
        case .media(let playlist): !playlist.segments.isEmpty
        }
    }

    fileprivate var firstURI: String? {
        switch self {
        case .multivariant(let playlist): playlist.variants.first?.uri
        case .media(let playlist): playlist.segments.first.map { playlist.uri(of: $0) }
        }
    }
}
