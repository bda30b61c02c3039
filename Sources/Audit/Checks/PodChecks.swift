import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

struct GivenContent: ~Copyable {
    enum Content {
        /// No success, or too late.
        case nothing
        case segment
        /// A manifest, or the media playlist of one rendition.
        case pod(Playlist)
        /// Nil if it is not a playlist.
        case repeated(Playlist?)
        case list(AssetList)
        case asset(AssetLibrary.Content)
        case noPlaylist(PlaylistError)
        case noList(AdServingError)
    }

    let content: Content
    let subject: AuditSubject
}

struct AuditSubject {
    let facts: BreakSubject
    let slot: BreakSlot
    /// Nil if the asset is over.
    var asset: AssetSubject?

    /// Whether a manifest or an asset list listed the URL.
    func isPart(_ role: ViewerRole) -> Bool {
        switch role {
        case .podPlaylist, .podRepeatPlaylist, .podSegment, .key: true
        case .assetManifest: facts.isAssetList
        default: false
        }
    }
}

/// The burst at a break is drawn from these records.
struct PodRequestCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        // Use the instants at which requests really left, not at which they were handed over.
        guard
            examination.answer.sentAt != .zero,
            subject.facts.isContentRequest(examination.role, index: examination.index)
        else { return }
        examination.viewer.context.recorder.podRequested(
            subject.slot,
            identifier: Self.identifier(of: subject, askedBy: examination.answer.url),
            viewer: examination.viewer.number,
            breakStart: subject.facts.isOwn ? subject.facts.planned.scheduled.start.microseconds : nil,
            wallMicroseconds: examination.viewer.moment(examination.answer.sentAt).wallMicroseconds,
            url: examination.viewer.redacted(examination.answer.url)
        )
    }

    private static func identifier(of subject: AuditSubject, askedBy url: String) -> String {
        guard !subject.facts.isOwn else { return subject.facts.planned.pathComponent }
        return PodIdentifier(inURL: url)?.pathComponent ?? subject.facts.planned.pathComponent
    }
}

/// Equal playlists are parsed once for all viewers.
struct PodRulesCheck: BreakCheck {
    let assets: AssetLibrary

    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let slot = content.subject.slot
        switch content.content {
        case .noPlaylist(let error): examination.foundNoPlaylist(error, breakSlot: slot)
        case .pod(let playlist):
            guard playlist.holdsMedia, let own = examination.viewer.facts.streamID else { return }
            inspect(own: own, slot: slot, examination)
        case .asset: inspect(own: StreamID(examination.viewer.facts.primaryID), slot: slot, examination)
        case .nothing, .segment, .repeated, .list, .noList: break
        }
    }

    private func inspect(own: StreamID, slot: BreakSlot, _ examination: borrowing Examination) {
        // Each viewer has its own, so compression is optional (bis-22 appendix B.1 speaks of the channel's).
        let head = examination.headViolations(offersGzip: false)
        let body = assets.violations(in: examination.answer.body, own: own, url: examination.answer.url)
        examination.found(body + head)
    }
}

struct PodContentCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        switch content.content {
        case .pod(.media(let media)):
            let isManifest = examination.role == .podManifest
            let pod = isManifest ? nil : examination.viewer.record.pod?.manifest.name.shortHex
            inspect(media, pod: pod, of: subject, examination)
        case .asset(.media(let pod)):
            if !pod.playlist.hasEndList {
                examination.found(
                    .assetInvalid,
                    expected: "an asset that ends with EXT-X-ENDLIST: players refuse a live one",
                    observed: "a media playlist without EXT-X-ENDLIST"
                )
            }
            inspect(pod, of: subject, examination)
        case .nothing, .segment, .pod, .repeated, .list, .asset, .noPlaylist, .noList: break
        }
    }

    private func inspect(_ pod: LoadedPod, of subject: AuditSubject, _ examination: borrowing Examination) {
        guard pod.content.segmentCount > 0 else {
            examination.found(.emptyPod, expected: "at least one segment", observed: "an asset without segments")
            return
        }
        // Content that may vary between viewers cannot be compared with another viewer's rendition.
        let name =
            subject.facts.isSameForAll ? subject.asset.map { examination.viewer.played.name(of: $0.uri).shortHex } : nil
        inspect(pod.playlist, pod: name, of: subject, examination)
        if !subject.facts.isAssetList {
            let length = Duration.microseconds(pod.content.durationMicroseconds)
            let over = subject.facts.longestContent.flatMap {
                AssetListChecks.overrun(of: length, assets: 1, longest: $0, tolerance: examination.assetTolerance)
            }
            if let over { examination.found([over]) }
        }
        guard subject.facts.isAssetList, let listed = subject.asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let held = pod.content.durationMicroseconds / 1_000
        let tolerance = examination.context.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (held &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        examination.found(
            .assetDurationWrong,
            expected: "\(milliseconds) ms, as the asset list says",
            observed: "\(held) ms, the sum of EXTINF"
        )
    }

    /// `pod` is nil if renditions are not to be compared.
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
                observed: "\(media.segments.count) segments, all of slate"
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

/// Yields figures, not findings.
struct FillCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let media: MediaPlaylist
        switch content.content {
        case .pod(.media(let playlist)): media = playlist
        // Players refuse a live asset (bis-22 appendix D.1).
        case .asset(.media(let pod)) where pod.playlist.hasEndList: media = pod.playlist
        case .list(let list): return nameSlate(of: list, content.subject, examination)
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist, .noList: return
        }
        let slate = examination.context.plan.slate
        var ads = 0
        var (adTime, slateTime): (Int64, Int64) = (0, 0)
        var isInAd = false
        for segment in media.segments {
            let isSlate = slate.isSlate(media.uri(of: segment))
            if !isSlate, !isInAd || segment.isDiscontinuity { ads += 1 }
            isInAd = !isSlate
            if isSlate {
                slateTime = slateTime.addingClamped(segment.durationMicroseconds)
            } else {
                adTime = adTime.addingClamped(segment.durationMicroseconds)
            }
        }
        examination.came(
            content.subject.slot,
            ads: ads,
            adMilliseconds: UInt64(clamping: adTime / 1_000),
            slateMilliseconds: UInt64(clamping: slateTime / 1_000)
        )
    }

    private func nameSlate(of list: AssetList, _ subject: AuditSubject, _ examination: borrowing Examination) {
        let pattern = examination.context.plan.slate
        let whole = pattern.slate(in: list.signaling, total: list.duration)
        let single = list.assets.map { pattern.slate(in: $0.signaling, total: $0.duration) }
        let sum = (ads: single.reduce(0) { $0 + $1.ads }, duration: single.reduce(.zero) { $0 + $1.duration })
        // Both may describe the same ads.
        let slate = sum.duration > whole.duration ? sum : whole
        examination.namedSlate(subject.slot, ads: slate.ads, duration: slate.duration)
    }
}

struct AssetListCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let facts = content.subject.facts
        switch content.content {
        case .list(let list):
            let violations = AssetListChecks.violations(
                of: list,
                longest: facts.isTrimmed ? nil : facts.longestContent,
                mayBeEmpty: facts.isNearlyOver,
                tolerance: examination.assetTolerance,
                slate: examination.context.plan.slate
            )
            examination.found(violations)
        case .noList(let error): examination.found([AssetListChecks.violation(of: error)])
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist: break
        }
    }
}

extension Examination {
    fileprivate var assetTolerance: AssetTolerance {
        AssetTolerance(total: context.plan.pods.durationTolerance, each: context.plan.pods.adTolerance)
    }
}

/// Pods are checked when they are compared.
struct ForeignContentCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        switch content.content {
        case .list, .asset: break
        case .noPlaylist where !subject.facts.isOwn: break
        case .nothing, .segment, .pod, .repeated, .noPlaylist, .noList: return
        }
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: subject.slot)
    }
}
