import AdServing
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

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

extension BreakExamination {
    /// The burst at a break is drawn from these records.
    func notePodRequest() {
        // Use the instants at which requests really left, not at which they were handed over.
        guard answer.sentAt != .zero, subject.isContentRequest(role, index: examination.index) else { return }
        let planned = subject.planned
        let named = subject.isOwn ? nil : PodIdentifier(inURL: answer.url)
        context.recorder.podRequested(
            examination.breakSlot,
            identifier: named?.pathComponent ?? planned.pathComponent,
            viewer: examination.viewer.number,
            breakStart: subject.isOwn ? planned.scheduled.start.microseconds : nil,
            wallMicroseconds: examination.viewer.moment(answer.sentAt).wallMicroseconds,
            url: examination.viewer.redacted(answer.url)
        )
    }

    /// Equal playlists are parsed once for all viewers.
    ///
    /// Each viewer has its own, so compression is optional (bis-22 appendix B.1 speaks of the channel's).
    func checkPodRules(own: StreamID) {
        let head = examination.headViolations(offersGzip: false)
        examination.found(checks.assets.violations(in: answer.body, own: own, url: answer.url) + head)
    }

    func checkPod(_ media: MediaPlaylist) {
        inspect(media, pod: role == .podManifest ? nil : examination.viewer.record.pod?.manifest.name.shortHex)
    }

    func checkAsset(_ pod: LoadedPod) {
        if !pod.playlist.hasEndList {
            examination.found(
                .assetInvalid,
                expected: "an asset that ends with EXT-X-ENDLIST: players refuse a live one",
                observed: "a media playlist without EXT-X-ENDLIST"
            )
        }
        inspect(pod)
    }

    private func inspect(_ pod: LoadedPod) {
        guard pod.content.segmentCount > 0 else {
            return examination.found(.emptyPod, expected: "at least one segment", observed: "an asset without segments")
        }
        // Content that may vary between viewers cannot be compared with another viewer's rendition.
        let asset = subject.isSameForAll ? subject.asset : nil
        inspect(pod.playlist, pod: asset.map { examination.viewer.played.name(of: $0.uri).shortHex })
        if !subject.isAssetList {
            let length = Duration.microseconds(pod.content.durationMicroseconds)
            let over = subject.longestContent.flatMap {
                AssetListChecks.overrun(of: length, assets: 1, longest: $0, tolerance: assetTolerance)
            }
            if let over { examination.found([over]) }
        }
        guard subject.isAssetList, let listed = subject.asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let held = pod.content.durationMicroseconds / 1_000
        let tolerance = context.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (held &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        let expected = "\(milliseconds) ms, as the asset list says"
        examination.found(.assetDurationWrong, expected: expected, observed: "\(held) ms, the sum of EXTINF")
    }

    /// `pod` is nil if renditions are not to be compared.
    private func inspect(_ media: MediaPlaylist, pod: String?) {
        guard !media.segments.isEmpty else { return }
        // An asset of a list does not fill the break alone.
        if !subject.isAssetList, media.isSlate(by: context.plan.slate) {
            examination.found(
                .slateOnly,
                expected: "at least one ad",
                observed: "\(GroupedDigits.counted(media.segments.count, "segment")), all of slate"
            )
        }
        let match = context.plan.pods.match
        guard let pod, let content = examination.viewer.compared(.renditions(ofPod: pod), by: match) else { return }
        let duration = Int(clamping: media.durationMicroseconds / 1_000)
        let places = media.discontinuityMilliseconds
        examination.observed(
            content,
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

extension BreakExamination {
    /// Yields figures, not findings.
    func noteFill(_ media: MediaPlaylist) {
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
        let milliseconds = (ads: UInt64(clamping: adTime / 1_000), slate: UInt64(clamping: slateTime / 1_000))
        examination.updateFill(examination.breakSlot) {
            $0.came(ads: ads, adMilliseconds: milliseconds.ads, slateMilliseconds: milliseconds.slate)
        }
    }

    func nameSlate(of list: AssetList) {
        let pattern = context.plan.slate
        let whole = pattern.slate(in: list.signaling, total: list.duration)
        let single = list.assets.map { pattern.slate(in: $0.signaling, total: $0.duration) }
        let sum = (ads: single.reduce(0) { $0 + $1.ads }, duration: single.reduce(.zero) { $0 + $1.duration })
        // Both may describe the same ads.
        let slate = sum.duration > whole.duration ? sum : whole
        examination.namedSlate(examination.breakSlot, ads: slate.ads, duration: slate.duration)
    }

    func checkAssetList(_ list: AssetList) {
        let violations = AssetListChecks.violations(
            of: list,
            longest: subject.isTrimmed ? nil : subject.longestContent,
            mayBeEmpty: subject.isNearlyOver,
            tolerance: assetTolerance,
            slate: context.plan.slate
        )
        examination.found(violations)
    }

    private var assetTolerance: AssetTolerance {
        AssetTolerance(total: context.plan.pods.durationTolerance, each: context.plan.pods.adTolerance)
    }
}

extension BreakExamination {
    private static let keptIdentifiers = 256
    private static let keptPods = 256

    /// A manifest is compared by its renditions, and a rendition by what is played: URLs do not identify ads.
    ///
    /// A body without media and a stale one are findings of their own.
    func compare(_ playlist: Playlist) {
        let isManifest = role == .podManifest
        let isStale = isManifest && foundStale(playlist)
        let isLeak = examination.lookForForeignSession(in: answer.body, isCompared: true)
        guard isCompared else { return }
        let known = summary(of: playlist)
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
        // Renditions are compared whatever the ads in them.
        let match = known.ladder == nil ? context.plan.pods.match : context.plan.pods.matchLadder
        guard let compared = examination.viewer.compared(content, by: match) else { return }
        examination.observed(compared, fingerprint: known.fingerprint, known.text)
    }

    private var isCompared: Bool {
        let pods = context.plan.pods
        return pods.match != .session || pods.repeatShare > 0 || role == .podManifest && pods.matchLadder != .session
    }

    private func summary(of playlist: Playlist) -> GivenPod {
        let own = examination.viewer.facts.streamID
        // Most viewers get the same bytes except for their own id.
        let body = MaskedBody.fingerprint(answer.body, own: own ?? StreamID(""))
        if let known = checks.pods[body] { return known }
        let made = GivenPod(playlist, examination.viewer.played, own: own)
        checks.pods.keep(made, for: body, atMost: Self.keptPods)
        return made
    }

    /// `playlist` is nil if the body is not one.
    func compareRepeated(_ playlist: Playlist?) {
        examination.lookForForeignSession(in: answer.body)
        guard let pod = examination.viewer.record.pod else { return }
        let again = playlist.map { summary(of: $0) }
        guard role == .podRepeatPlaylist else {
            if again?.fingerprint != pod.manifest.fingerprint {
                foundChanged(again, from: pod.manifest)
            } else {
                pod.repeatedLadder = again?.ladder
            }
            return
        }
        // The loaded rendition may have changed with the bit rates.
        guard let name = pod.repeatedLadder?.rendition(ofVariant: Int(examination.index)),
            let first = pod.rendition, first.name == name, again?.fingerprint != first.pod.fingerprint
        else { return }
        foundChanged(again, from: first.pod)
    }

    private func foundChanged(_ again: GivenPod?, from first: GivenPod) {
        let difference = ContentSummary.difference(first.text, again?.text ?? "no playlist")
        examination.found(
            .podChangedOnRepeat,
            expected: "the pod of the first answer: \(difference.expected)",
            observed: again == nil ? difference.observed : "\(difference.kind): \(difference.observed)"
        )
    }

    func noteStart() {
        let identifier = subject.planned.pathComponent
        guard role == .podManifest, answer.sentAt != .zero, checks.starts[identifier] == nil else { return }
        checks.starts.keep(subject.planned.scheduled.start, for: identifier, atMost: Self.keptIdentifiers)
    }

    /// Equal bodies alone prove nothing, because creatives recur.
    private func foundStale(_ playlist: Playlist) -> Bool {
        guard let uri = playlist.firstURI, let named = PodIdentifier(inURL: uri) else { return false }
        let (name, asked) = (named.pathComponent, subject.planned.pathComponent)
        guard name != asked, let start = checks.starts[name], start < subject.planned.scheduled.start else {
            return false
        }
        let observed = "URIs of the pod \(name), of a break before"
        examination.found(.stalePod, expected: "the pod \(asked)", observed: observed)
        return true
    }

    func compare(_ list: AssetList) {
        let name = "\(subject.planned.pathComponent) \(subject.planned.scheduled.key)"
        // X-CONTENT-MAY-VARY=NO makes one group of all viewers (bis-22 appendix D.2).
        let match: PodPlan.Match = subject.isSameForAll ? .all : context.plan.pods.matchVarying
        // A list that begins in the middle differs legitimately.
        guard !subject.isTrimmed, let content = examination.viewer.compared(.assetList(name), by: match) else { return }
        let own = examination.viewer.facts.streamID ?? StreamID(examination.viewer.facts.primaryID)
        examination.observed(
            content,
            fingerprint: examination.viewer.played.fingerprint(of: list),
            BodySummary.text(of: list, own: own)
        )
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

extension BreakExamination {
    private static let keptURLs = 1_024
    /// More breaks than one viewer awaits at once.
    private static let keptUnavailable = 8
    /// Nanoseconds in which answers of parallel servers may cross; a URL that was found longer ago and now gives 404 was
    /// withdrawn.
    private static let crossing: Int64 = 1_000_000_000

    func checkPodAvailability() {
        let isPart = subject.isPart(role)
        if !isPart, role != .podRepeat { noteUnavailability() }
        let isMedia = role == .podSegment || role == .key
        guard !answer.isSuccess else {
            if !isMedia { checkFound() }
            return
        }
        if answer.failure == nil, answer.status == 404, !isMedia {
            checkNotFound()
        } else if isPart, let reason = answer.unreachableReason {
            examination.found(.podPartUnreachable, expected: "what the pod lists can be loaded", observed: reason)
        }
    }

    private func checkFound() {
        let name = examination.viewer.played.name(of: answer.url)
        if checks.foundAt[name] == nil { checks.foundAt.keep(answer.doneAt, for: name, atMost: Self.keptURLs) }
        guard checks.missing.contains(name) else { return }
        note(.foundLater, name: name)
    }

    private func checkNotFound() {
        let name = examination.viewer.played.name(of: answer.url)
        var sign = answer.signOfCache
        if sign == nil, let before = checks.foundAt[name], answer.sentAt &- before > Self.crossing {
            let milliseconds = (answer.sentAt &- before) / 1_000_000
            sign = "\(milliseconds) ms after the same URL was answered with success"
        }
        guard let sign else {
            checks.missing.keep(name, atMost: Self.keptURLs)
            note(.missing, name: name)
            return
        }
        let expected = "a 404 that is not kept, and only before the pod is there"
        examination.found(.podNotFoundCached, expected: expected, observed: "status 404, \(sign)")
    }

    private func note(_ availability: ComparedContent.Availability, name: UInt64) {
        examination.observed(
            subject.isPart(role) ? .partNotFound(name.shortHex) : .manifestNotFound(name.shortHex),
            fingerprint: availability.rawValue,
            expected: "a pod that is there when its break is announced",
            "status \(answer.status)"
        )
    }

    /// A retry may still succeed, so only viewers that never got it have lost anything.
    private func noteUnavailability() {
        let (record, slot) = (examination.viewer.record, examination.breakSlot)
        record.unavailable.removeAll { $0.slot == slot }
        guard let problem = examination.problem(where: { $0 == 429 || $0 >= 500 }) else { return }
        let expected = "the break's pod, at the first request or at one that repeats it"
        let evidence = examination.evidence(expected: expected, observed: problem)
        record.unavailable.append((slot, evidence), atMost: Self.keptUnavailable)
    }
}

extension AuditedViewer {
    /// Does nothing for a break that was lost for another reason.
    func breakLost(_ slot: BreakSlot, at now: Instant) {
        guard let index = record.unavailable.firstIndex(where: { $0.slot == slot }) else { return }
        found(.podUnavailable, record.unavailable.remove(at: index).evidence, breakSlot: slot, at: now)
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
