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

extension BreakSubject {
    /// Whether a manifest or an asset list listed the URL.
    func isPart(_ role: ViewerRole) -> Bool {
        switch role {
        case .podPlaylist, .podRepeatPlaylist, .podSegment, .key: true
        case .assetManifest: isAssetList
        default: false
        }
    }
}

extension Examination {
    /// The burst at a break is drawn from these records.
    func notePodRequest(of subject: BreakSubject) {
        // Use the instants at which requests really left, not at which they were handed over.
        guard answer.sentAt != .zero, subject.isContentRequest(role, index: index) else { return }
        let planned = subject.planned
        let named = subject.isOwn ? nil : PodIdentifier(inURL: answer.url)
        context.recorder.podRequested(
            breakSlot,
            identifier: named?.pathComponent ?? planned.pathComponent,
            viewer: viewer.number,
            breakStart: subject.isOwn ? planned.scheduled.start.microseconds : nil,
            wallMicroseconds: viewer.moment(answer.sentAt).wallMicroseconds,
            url: viewer.redacted(answer.url)
        )
    }

    /// Equal playlists are parsed once for all viewers.
    func checkPodRules(_ content: GivenContent, _ assets: AssetLibrary) {
        let own: StreamID?
        switch content {
        case .noPlaylist(let error): return foundNoPlaylist(error, breakSlot: breakSlot)
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

    func checkPodContent(_ content: GivenContent, of subject: BreakSubject) {
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

    private func inspect(_ pod: LoadedPod, of subject: BreakSubject) {
        guard pod.content.segmentCount > 0 else {
            return found(.emptyPod, expected: "at least one segment", observed: "an asset without segments")
        }
        // Content that may vary between viewers cannot be compared with another viewer's rendition.
        let name = subject.isSameForAll ? subject.asset.map { viewer.played.name(of: $0.uri).shortHex } : nil
        inspect(pod.playlist, pod: name, of: subject)
        if !subject.isAssetList {
            let length = Duration.microseconds(pod.content.durationMicroseconds)
            let over = subject.longestContent.flatMap {
                AssetListChecks.overrun(of: length, assets: 1, longest: $0, tolerance: assetTolerance)
            }
            if let over { found([over]) }
        }
        guard subject.isAssetList, let listed = subject.asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let held = pod.content.durationMicroseconds / 1_000
        let tolerance = context.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (held &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        let expected = "\(milliseconds) ms, as the asset list says"
        found(.assetDurationWrong, expected: expected, observed: "\(held) ms, the sum of EXTINF")
    }

    /// `pod` is nil if renditions are not to be compared.
    private func inspect(_ media: MediaPlaylist, pod: String?, of subject: BreakSubject) {
        guard !media.segments.isEmpty else { return }
        // An asset of a list does not fill the break alone.
        if !subject.isAssetList, media.isSlate(by: context.plan.slate) {
            found(
                .slateOnly,
                expected: "at least one ad",
                observed: "\(GroupedDigits.counted(media.segments.count, "segment")), all of slate"
            )
        }
        guard let pod, let group = viewer.group else { return }
        let duration = Int(clamping: media.durationMicroseconds / 1_000)
        let places = media.discontinuityMilliseconds
        observed(
            .renditions(ofPod: pod).of(group),
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
    func noteFill(_ content: GivenContent) {
        let media: MediaPlaylist
        switch content {
        case .pod(.media(let playlist)): media = playlist
        // Players refuse a live asset (bis-22 appendix D.1).
        case .asset(.media(let pod)) where pod.playlist.hasEndList: media = pod.playlist
        case .list(let list): return nameSlate(of: list)
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
        let milliseconds = UInt64(clamping: adTime / 1_000)
        came(ads: ads, adMilliseconds: milliseconds, slateMilliseconds: UInt64(clamping: slateTime / 1_000))
    }

    private func nameSlate(of list: AssetList) {
        let pattern = context.plan.slate
        let whole = pattern.slate(in: list.signaling, total: list.duration)
        let single = list.assets.map { pattern.slate(in: $0.signaling, total: $0.duration) }
        let sum = (ads: single.reduce(0) { $0 + $1.ads }, duration: single.reduce(.zero) { $0 + $1.duration })
        // Both may describe the same ads.
        let slate = sum.duration > whole.duration ? sum : whole
        namedSlate(breakSlot, ads: slate.ads, duration: slate.duration)
    }

    func checkAssetList(_ content: GivenContent, of subject: BreakSubject) {
        switch content {
        case .list(let list):
            let violations = AssetListChecks.violations(
                of: list,
                longest: subject.isTrimmed ? nil : subject.longestContent,
                mayBeEmpty: subject.isNearlyOver,
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
    func checkForeignContent(_ content: GivenContent, of subject: BreakSubject) {
        switch content {
        case .list, .asset: break
        case .noPlaylist where !subject.isOwn: break
        case .nothing, .segment, .pod, .repeated, .noPlaylist, .noList: return
        }
        lookForForeignSession(in: answer.body)
    }
}

/// A full store is cleared, so that a finding may be missed but none made up.
final class PodAgreementCheck {
    private static let keptIdentifiers = 256
    private static let keptPods = 256

    /// Keyed by the pod identifier of the first request.
    private var starts: [String: WallTime] = [:]
    /// Keyed by the fingerprint of the body without the viewer's own id.
    private var pods: [UInt64: GivenPod] = [:]

    func examine(_ content: GivenContent, of subject: BreakSubject, _ examination: borrowing Examination) {
        if examination.role == .podManifest, examination.answer.sentAt != .zero { asked(subject) }
        switch content {
        case .pod(let playlist): compare(playlist, of: subject, examination)
        case .noPlaylist(_) where subject.isOwn: compare(nil, of: subject, examination)
        case .repeated(let playlist): compareRepeated(playlist, examination)
        case .list(let list): compare(list, of: subject, examination)
        case .noPlaylist, .nothing, .segment, .asset, .noList: break
        }
    }

    /// A manifest is compared by its renditions, and a rendition by what is played: URLs do not identify ads.
    ///
    /// A body without media and a stale one are findings of their own.
    private func compare(_ playlist: Playlist?, of subject: BreakSubject, _ examination: borrowing Examination) {
        let isManifest = examination.role == .podManifest
        let isStale = isManifest && (playlist.map { foundStale($0, of: subject, examination) } ?? false)
        let isLeak = examination.lookForForeignSession(in: examination.answer.body, isCompared: true)
        guard let playlist, Self.isCompared(isManifest, examination) else { return }
        let known = summary(of: playlist, examination)
        let isSound = !isStale && !isLeak && playlist.holdsMedia
        if isManifest { examination.viewer.record.pod = PodInHand(known, isSound: isSound) }
        guard let pod = examination.viewer.record.pod else { return }
        let rendition = subject.asset?.variant.flatMap { pod.manifest.ladder?.rendition(ofVariant: $0) }
        if !isManifest, let rendition { pod.rendition = (rendition, known) }
        guard isSound, pod.isSound else { return }
        let identifier = subject.planned.pathComponent
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
        examination.observed(content.of(group), fingerprint: known.fingerprint, known.text)
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

    private func compareRepeated(_ playlist: Playlist?, _ examination: borrowing Examination) {
        examination.lookForForeignSession(in: examination.answer.body)
        guard let pod = examination.viewer.record.pod else { return }
        let again = playlist.map { summary(of: $0, examination) }
        guard examination.role == .podRepeatPlaylist else {
            if again?.fingerprint != pod.manifest.fingerprint {
                found(again, inPlaceOf: pod.manifest, examination)
            } else {
                pod.repeatedLadder = again?.ladder
            }
            return
        }
        // The loaded rendition may have changed with the bit rates.
        guard let name = pod.repeatedLadder?.rendition(ofVariant: Int(examination.index)),
            let first = pod.rendition, first.name == name, again?.fingerprint != first.pod.fingerprint
        else { return }
        found(again, inPlaceOf: first.pod, examination)
    }

    private func found(_ again: GivenPod?, inPlaceOf first: GivenPod, _ examination: borrowing Examination) {
        let difference = ContentSummary.difference(first.text, again?.text ?? "no playlist")
        examination.found(
            .podChangedOnRepeat,
            expected: "the pod of the first answer: \(difference.expected)",
            observed: again == nil ? difference.observed : "\(difference.kind): \(difference.observed)"
        )
    }

    private func asked(_ subject: BreakSubject) {
        let identifier = subject.planned.pathComponent
        guard starts[identifier] == nil else { return }
        starts.keep(subject.planned.scheduled.start, for: identifier, atMost: Self.keptIdentifiers)
    }

    /// Equal bodies alone prove nothing, because creatives recur.
    private func foundStale(_ playlist: Playlist, of subject: BreakSubject, _ examination: borrowing Examination)
        -> Bool
    {
        guard let uri = playlist.firstURI, let named = PodIdentifier(inURL: uri) else { return false }
        let (name, asked) = (named.pathComponent, subject.planned.pathComponent)
        guard name != asked, let start = starts[name], start < subject.planned.scheduled.start else {
            return false
        }
        let observed = "URIs of the pod \(name), of a break before"
        examination.found(.stalePod, expected: "the pod \(asked)", observed: observed)
        return true
    }

    private func compare(_ list: AssetList, of subject: BreakSubject, _ examination: borrowing Examination) {
        // A list that begins in the middle differs legitimately.
        let group = examination.viewer.assetGroup(mayVary: !subject.isSameForAll)
        guard let group, !subject.isTrimmed else { return }
        let (streamID, primaryID) = (examination.viewer.facts.streamID, examination.viewer.facts.primaryID)
        let name = "\(subject.planned.pathComponent) \(subject.planned.scheduled.key)"
        examination.observed(
            .assetList(name).of(group),
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

/// A full store is cleared, so that a finding may be missed but none made up.
final class PodAvailabilityCheck {
    private static let keptURLs = 1_024
    /// More breaks than one viewer awaits at once.
    private static let keptUnavailable = 8
    /// Nanoseconds in which answers of parallel servers may cross; a URL that was found longer ago and now gives 404 was
    /// withdrawn.
    private static let crossing: Int64 = 1_000_000_000

    /// Time of the first success, by a name that is equal for all viewers.
    private var foundAt: [UInt64: Instant] = [:]
    private var missing: Set<UInt64> = []

    func examine(_ subject: BreakSubject, _ examination: borrowing Examination) {
        let role = examination.role
        let isPart = subject.isPart(role)
        if !isPart, role != .podRepeat { Self.noteUnavailability(examination) }
        let isMedia = role == .podSegment || role == .key
        guard !examination.answer.isSuccess else {
            if !isMedia { checkFound(subject, examination) }
            return
        }
        if examination.answer.failure == nil, examination.answer.status == 404, !isMedia {
            if !examination.endsSession { checkNotFound(subject, examination) }
        } else if isPart, let reason = examination.answer.unreachableReason {
            examination.found(.podPartUnreachable, expected: "what the pod lists can be loaded", observed: reason)
        }
    }

    private func checkFound(_ subject: BreakSubject, _ examination: borrowing Examination) {
        let name = Self.name(examination)
        if foundAt[name] == nil { foundAt.keep(examination.answer.doneAt, for: name, atMost: Self.keptURLs) }
        guard missing.contains(name) else { return }
        Self.note(.foundLater, name: name, of: subject, examination)
    }

    private func checkNotFound(_ subject: BreakSubject, _ examination: borrowing Examination) {
        let name = Self.name(examination)
        var sign = examination.answer.signOfCache
        if sign == nil, let before = foundAt[name], examination.answer.sentAt &- before > Self.crossing {
            let milliseconds = (examination.answer.sentAt &- before) / 1_000_000
            sign = "\(milliseconds) ms after the same URL was answered with success"
        }
        guard let sign else {
            missing.keep(name, atMost: Self.keptURLs)
            Self.note(.missing, name: name, of: subject, examination)
            return
        }
        let expected = "a 404 that is not kept, and only before the pod is there"
        examination.found(.podNotFoundCached, expected: expected, observed: "status 404, \(sign)")
    }

    private static func note(
        _ availability: ComparedContent.Availability,
        name: UInt64,
        of subject: BreakSubject,
        _ examination: borrowing Examination
    ) {
        let isPart = subject.isPart(examination.role)
        examination.observed(
            isPart ? .partNotFound(name.shortHex) : .manifestNotFound(name.shortHex),
            fingerprint: availability.rawValue,
            expected: "a pod that is there when its break is announced",
            "status \(examination.answer.status)"
        )
    }

    private static func name(_ examination: borrowing Examination) -> UInt64 {
        examination.viewer.played.name(of: examination.answer.url)
    }

    /// A retry may still succeed, so only viewers that never got it have lost anything.
    private static func noteUnavailability(_ examination: borrowing Examination) {
        let (record, slot) = (examination.viewer.record, examination.breakSlot)
        record.unavailable.removeAll { $0.slot == slot }
        guard let problem = examination.problem(where: { $0 == 429 || $0 >= 500 }) else { return }
        record.unavailable.append((slot, examination.answer.url, problem), atMost: keptUnavailable)
    }

    /// Does nothing for a break that was lost for another reason.
    static func breakLost(_ slot: BreakSlot, _ viewer: borrowing AuditedViewer, at now: Instant) {
        guard let index = viewer.record.unavailable.firstIndex(where: { $0.slot == slot }) else { return }
        let last = viewer.record.unavailable.remove(at: index)
        viewer.found(
            .podUnavailable,
            url: last.url,
            expected: "the break's pod, at the first request or at one that repeats it",
            observed: last.problem,
            breakSlot: slot,
            at: now
        )
    }
}

extension TransferResult {
    /// 401, 403 and 410 concern the session; deadlines are the player's own.
    fileprivate var unreachableReason: String? {
        switch failure {
        case nil: status < 400 || [401, 403, 410].contains(status) ? nil : "status \(status)"
        case .connectRefused, .connectFailed: "no connection"
        case .reset: "connection reset"
        case .truncated: "the answer was cut off"
        case .protocolError: "the answer broke off or was not HTTP"
        case .dns: "the host is not known"
        case .tls: "no TLS session"
        default: nil
        }
    }

    fileprivate var signOfCache: String? {
        if let age = ageSeconds, age > 0 { return "Age \(age)" }
        guard let cache = header("x-cache"), cache.lowercased().contains("hit") else { return nil }
        return "X-Cache \(cache.prefix(64))"
    }
}
