import AdServing
import HLS
import Profile
import Recording
import Rules
import Values
import Viewer

/// Pods and assets that are empty, slate, or of another length than their list or their other renditions.
struct PodContentCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        switch content.content {
        case .pod(.media(let media)):
            let isManifest = examination.role == .podManifest
            let pod = isManifest ? nil : examination.viewer.record.pod?.manifest.name.shortHex
            inspect(media, pod: pod, of: subject, examination)
        case .asset(.media(let pod)): inspect(pod, of: subject, examination)
        case .nothing, .segment, .pod, .repeated, .list, .asset, .noPlaylist, .noList: break
        }
    }

    private func inspect(_ pod: LoadedPod, of subject: AuditSubject, _ examination: borrowing Examination) {
        guard pod.content.segmentCount > 0 else {
            examination.found(
                .emptyPod,
                expected: "at least one segment",
                observed: "an asset without segments",
                breakSlot: subject.slot
            )
            return
        }
        // Content that may vary between viewers cannot be compared with another viewer's rendition.
        let name =
            subject.facts.isSameForAll ? subject.asset.map { examination.viewer.played.name(of: $0.uri).shortHex } : nil
        inspect(pod.playlist, pod: name, of: subject, examination)
        guard subject.facts.isAssetList, let listed = subject.asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let held = pod.content.durationMicroseconds / 1_000
        let tolerance = examination.context.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (held &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        examination.found(
            .assetDurationWrong,
            expected: "\(milliseconds) ms, as the asset list says",
            observed: "\(held) ms, the sum of EXTINF",
            breakSlot: subject.slot
        )
    }

    /// `pod` identifies the pod within its break, if its renditions are to be compared.
    private func inspect(
        _ media: MediaPlaylist,
        pod: String?,
        of subject: AuditSubject,
        _ examination: borrowing Examination
    ) {
        guard !media.segments.isEmpty else { return }
        // An asset of a list does not fill the break alone.
        if !subject.facts.isAssetList, media.isSlate(by: examination.context.plan.slate) {
            examination.found(
                .slateOnly,
                expected: "at least one ad",
                observed: "\(media.segments.count) segments, all of slate",
                breakSlot: subject.slot
            )
        }
        guard let pod, let group = examination.viewer.group else { return }
        let duration = Int(clamping: media.durationMicroseconds / 1_000)
        let places = media.discontinuityMilliseconds
        examination.observed(
            .renditions(ofPod: pod).of(group),
            of: subject.slot,
            fingerprint: PodShape(durationMilliseconds: duration, discontinuitiesAt: places).fingerprint,
            "\(duration) ms, \(Self.text(ofDiscontinuitiesAt: places))"
        )
    }

    private static let shownPlaces = 16

    private static func text(ofDiscontinuitiesAt places: [Int]) -> String {
        guard !places.isEmpty else { return "no discontinuity" }
        let shown = places.prefix(shownPlaces).map(String.init).joined(separator: ", ")
        let noun = places.count == 1 ? "discontinuity" : "discontinuities"
        return "\(places.count) \(noun) at \(shown)\(places.count > shownPlaces ? ", …" : "") ms"
    }
}

extension MediaPlaylist {
    fileprivate var discontinuityMilliseconds: [Int] {
        guard let first = segments.first else { return [] }
        return segments.dropFirst().filter(\.isDiscontinuity).map {
            Int(clamping: $0.startOffsetMicroseconds.subtractingClamped(first.startOffsetMicroseconds) / 1_000)
        }
    }

    fileprivate func isSlate(by pattern: SlatePattern) -> Bool {
        !segments.isEmpty && segments.allSatisfy { pattern.isSlate(uri(of: $0)) }
    }
}
