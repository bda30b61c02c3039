import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

enum GivenContent {
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

extension Examination {
    /// The burst at a break is drawn from these records.
    func notePodRequest(of subject: AuditSubject) {
        // Use the instants at which requests really left, not at which they were handed over.
        guard answer.sentAt != .zero, subject.facts.isContentRequest(role, index: index) else { return }
        let planned = subject.facts.planned
        let named = subject.facts.isOwn ? nil : PodIdentifier(inURL: answer.url)
        context.recorder.podRequested(
            subject.slot,
            identifier: named?.pathComponent ?? planned.pathComponent,
            viewer: viewer.number,
            breakStart: subject.facts.isOwn ? planned.scheduled.start.microseconds : nil,
            wallMicroseconds: viewer.moment(answer.sentAt).wallMicroseconds,
            url: viewer.redacted(answer.url)
        )
    }

    /// Equal playlists are parsed once for all viewers.
    func checkPodRules(_ content: GivenContent, of subject: AuditSubject, _ assets: AssetLibrary) {
        let own: StreamID?
        switch content {
        case .noPlaylist(let error): return foundNoPlaylist(error, breakSlot: subject.slot)
        case .pod(let playlist): own = playlist.holdsMedia ? viewer.facts.streamID : nil
        case .asset: own = StreamID(viewer.facts.primaryID)
        case .nothing, .segment, .repeated, .list, .noList: return
        }
        guard let own else { return }
        // Each viewer has its own, so compression is optional (bis-22 appendix B.1 speaks of the channel's).
        let head = headViolations(offersGzip: false)
        let body = assets.violations(in: answer.body, own: own, url: answer.url)
        found(body + head)
    }

    func checkPodContent(_ content: GivenContent, of subject: AuditSubject) {
        switch content {
        case .pod(.media(let media)):
            let pod = role == .podManifest ? nil : viewer.record.pod?.manifest.name.shortHex
            inspect(media, pod: pod, of: subject)
        case .asset(.media(let pod)):
            if !pod.playlist.hasEndList {
                found(
                    .assetInvalid,
                    expected: "an asset that ends with EXT-X-ENDLIST: players refuse a live one",
                    observed: "a media playlist without EXT-X-ENDLIST"
                )
            }
            inspect(pod, of: subject)
        case .nothing, .segment, .pod, .repeated, .list, .asset, .noPlaylist, .noList: break
        }
    }

    private func inspect(_ pod: LoadedPod, of subject: AuditSubject) {
        guard pod.content.segmentCount > 0 else {
            return found(.emptyPod, expected: "at least one segment", observed: "an asset without segments")
        }
        // Content that may vary between viewers cannot be compared with another viewer's rendition.
        let name = subject.facts.isSameForAll ? subject.asset.map { viewer.played.name(of: $0.uri).shortHex } : nil
        inspect(pod.playlist, pod: name, of: subject)
        if !subject.facts.isAssetList {
            let length = Duration.microseconds(pod.content.durationMicroseconds)
            let over = subject.facts.longestContent.flatMap {
                AssetListChecks.overrun(of: length, assets: 1, longest: $0, tolerance: assetTolerance)
            }
            if let over { found([over]) }
        }
        guard subject.facts.isAssetList, let listed = subject.asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let held = pod.content.durationMicroseconds / 1_000
        let tolerance = context.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (held &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        found(
            .assetDurationWrong,
            expected: "\(milliseconds) ms, as the asset list says",
            observed: "\(held) ms, the sum of EXTINF"
        )
    }

    /// `pod` is nil if renditions are not to be compared.
    private func inspect(_ media: MediaPlaylist, pod: String?, of subject: AuditSubject) {
        guard !media.segments.isEmpty else { return }
        // An asset of a list does not fill the break alone.
        if !subject.facts.isAssetList, media.isSlate(by: context.plan.slate) {
            found(.slateOnly, expected: "at least one ad", observed: "\(media.segments.count) segments, all of slate")
        }
        guard let pod, let group = viewer.group else { return }
        let duration = Int(clamping: media.durationMicroseconds / 1_000)
        let places = media.discontinuityMilliseconds
        observed(
            .renditions(ofPod: pod).of(group),
            of: subject.slot,
            fingerprint: PodShape(durationMilliseconds: duration, discontinuitiesAt: places).fingerprint,
            "\(duration) ms, \(text(ofDiscontinuitiesAt: places))"
        )
    }

    private static let shownPlaces = 16

    private func text(ofDiscontinuitiesAt places: [Int]) -> String {
        guard !places.isEmpty else { return "no discontinuity" }
        let shown = places.prefix(Self.shownPlaces).map(String.init).joined(separator: ", ")
        let noun = places.count == 1 ? "discontinuity" : "discontinuities"
        return "\(places.count) \(noun) at \(shown)\(places.count > Self.shownPlaces ? ", …" : "") ms"
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

extension Examination {
    /// Yields figures, not findings.
    func noteFill(_ content: GivenContent, of subject: AuditSubject) {
        let media: MediaPlaylist
        switch content {
        case .pod(.media(let playlist)): media = playlist
        // Players refuse a live asset (bis-22 appendix D.1).
        case .asset(.media(let pod)) where pod.playlist.hasEndList: media = pod.playlist
        case .list(let list): return nameSlate(of: list, subject)
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist, .noList: return
        }
        let slate = context.plan.slate
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
        came(
            subject.slot,
            ads: ads,
            adMilliseconds: UInt64(clamping: adTime / 1_000),
            slateMilliseconds: UInt64(clamping: slateTime / 1_000)
        )
    }

    private func nameSlate(of list: AssetList, _ subject: AuditSubject) {
        let pattern = context.plan.slate
        let whole = pattern.slate(in: list.signaling, total: list.duration)
        let single = list.assets.map { pattern.slate(in: $0.signaling, total: $0.duration) }
        let sum = (ads: single.reduce(0) { $0 + $1.ads }, duration: single.reduce(.zero) { $0 + $1.duration })
        // Both may describe the same ads.
        let slate = sum.duration > whole.duration ? sum : whole
        namedSlate(subject.slot, ads: slate.ads, duration: slate.duration)
    }

    func checkAssetList(_ content: GivenContent, of subject: AuditSubject) {
        let facts = subject.facts
        switch content {
        case .list(let list):
            let violations = AssetListChecks.violations(
                of: list,
                longest: facts.isTrimmed ? nil : facts.longestContent,
                mayBeEmpty: facts.isNearlyOver,
                tolerance: assetTolerance,
                slate: context.plan.slate
            )
            found(violations)
        case .noList(let error): found([AssetListChecks.violation(of: error)])
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist: break
        }
    }

    private var assetTolerance: AssetTolerance {
        AssetTolerance(total: context.plan.pods.durationTolerance, each: context.plan.pods.adTolerance)
    }

    /// Pods are checked when they are compared.
    func checkForeignContent(_ content: GivenContent, of subject: AuditSubject) {
        switch content {
        case .list, .asset: break
        case .noPlaylist where !subject.facts.isOwn: break
        case .nothing, .segment, .pod, .repeated, .noPlaylist, .noList: return
        }
        lookForForeignSession(in: answer.body, breakSlot: subject.slot)
    }
}
