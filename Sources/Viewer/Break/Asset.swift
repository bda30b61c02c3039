import AdServing
import HLS
import Profile
import Rules
import Values

/// Loads a playlist of a break as a player does: manifest, media playlist, then segments one after another.
package struct Asset: Sendable {
    enum Kind: UInt8, Sendable {
        case pod
        /// The asset of X-ASSET-URI or of an asset list.
        case interstitial
    }

    enum Phase: Sendable {
        case idle
        case manifest
        /// `variant` is an index into the manifest.
        case playlist(url: String, variant: Int)
        case segments(SegmentLoading)
        case complete(AdTimeline)
        case failed(BreakFailure)
        /// Not seen by a viewer that joined later.
        case passed
    }

    let kind: Kind
    /// Its place in the list.
    private let index: UInt8
    package let uri: String
    /// From the asset list or the tag.
    package let listedDuration: Duration?
    /// Sorted by offset from the asset's start.
    let beacons: [DueBeacon]
    private(set) var phase = Phase.idle
    /// Attempts of the phase's request.
    private var attempts = LoadAttempts()
    /// Nanoseconds that its answers waited in their sockets.
    private(set) var handling: Int64 = 0
    /// When the awaited answer was whole that the viewer's line still carries.
    private var onLineSince: Instant?
    /// Nanoseconds by which the viewer's line delayed answers that came since.
    private(set) var lineDelay: Int64 = 0

    init(_ kind: Kind, uri: String, index: UInt8 = 0, listedDuration: Duration? = nil, beacons: [DueBeacon] = []) {
        (self.kind, self.uri, self.index) = (kind, uri, index)
        (self.listedDuration, self.beacons) = (listedDuration, beacons)
    }

    struct Requester {
        let serial: UInt16
        let planned: PlannedBreak
    }
}

struct SegmentLoading: Sendable {
    let pod: LoadedPod
    /// Index of the next part to load, for `MediaPlaylist.part(at:)`.
    var next = 0
    /// Segments in hand; the first makes the asset playable.
    var loaded = 0
    /// Addresses, as written, of keys in hand.
    var keys: [String] = []

    var role: ViewerRole { MediaPlaylist.isKey(partAt: next) ? .key : .podSegment }
}

extension Asset {
    var isUsable: Bool { failure == nil && !isPassed }

    var isIdle: Bool { if case .idle = phase { true } else { false } }

    var isUnderWay: Bool {
        switch phase {
        case .manifest, .playlist, .segments: true
        case .idle, .complete, .failed, .passed: false
        }
    }

    var isPassed: Bool { if case .passed = phase { true } else { false } }

    var failure: BreakFailure? { if case .failed(let reason) = phase { reason } else { nil } }

    var timeline: AdTimeline? {
        switch phase {
        case .segments(let loading): loading.pod.content
        case .complete(let timeline): timeline
        case .idle, .manifest, .playlist, .failed, .passed: nil
        }
    }

    package var playable: AdTimeline? {
        if case .segments(let loading) = phase, loading.loaded == 0 { nil } else { timeline }
    }

    package func timedSegment(_ mediaIDs: SegmentMediaIDs) -> TimedSegment? {
        guard case .segments(let loading) = phase else { return nil }
        return TimedSegment(partAt: loading.next, of: loading.pod, mediaIDs: mediaIDs)
    }

    var nanoseconds: Int64? { timeline?.nanoseconds ?? listedDuration?.nanosecondsHeld }

    /// Discontinuities separate the ads of a pod; any other asset is one ad.
    func ads(of timeline: AdTimeline) -> Int { kind == .pod ? timeline.ads.count : 1 }

    /// In nanoseconds of the asset.
    func ad(_ index: Int, of timeline: AdTimeline) -> (offset: Int64, length: Int64) {
        guard kind == .pod, timeline.ads.indices.contains(index) else { return (0, timeline.nanoseconds) }
        let ad = timeline.ads[index]
        return (ad.offsetMicroseconds.multipliedClamped(by: 1000), ad.durationMicroseconds.multipliedClamped(by: 1000))
    }

    /// Index of the requested variant in its manifest.
    package var variant: Int? { if case .playlist(_, let variant) = phase { variant } else { nil } }

    var nextInstant: Instant { isUnderWay ? attempts.nextInstant : .distantFuture }

    mutating func pass() { phase = .passed }

    mutating func ask(_ requester: Requester, turn: inout Turn) {
        let isPod = kind == .pod
        let url = isPod ? uri : InterstitialQuery.url(of: .asset(uri: uri), primaryID: turn.sentPrimaryID)
        request(isPod ? .podManifest : .assetManifest, url: url, requester, turn: &turn)
        phase = .manifest
    }

    private mutating func askForPlaylist(_ url: String, variant: Int, _ requester: Requester, turn: inout Turn) {
        request(.podPlaylist, url: url, requester, turn: &turn)
        phase = .playlist(url: url, variant: variant)
    }

    private mutating func request(_ role: ViewerRole, url: String, _ requester: Requester, turn: inout Turn) {
        attempts.begin(rule(of: role, turn), now: turn.now)
        if attempts.isRepeated { turn.count(.retries) }
        turn.fetch(role, url: url, plannedAt: turn.now, index: index, breakSerial: requester.serial)
    }

    /// Errors of content that a break needs on time surface once nothing is left to show.
    private func rule(of role: ViewerRole, _ turn: Turn) -> RequestRule {
        let persona = turn.persona
        return (persona.requests.rule(for: role) ?? .usual).ending(after: persona.outage.stopsDryAfter)
    }

    mutating func answered(_ answer: BreakAnswer, _ requester: Requester, turn: inout Turn) {
        guard awaitedRole == answer.role else { return }
        guard !answer.isOnLine else {
            onLineSince = onLineSince ?? turn.now
            return
        }
        if let since = onLineSince.take() { lineDelay &+= turn.now &- since }
        handling &+= turn.handling
        switch attempts.end(now: turn.receivedAt) {
        case .unawaited: return
        case .late: failed(.deadline, turn: &turn)
        case .inTime:
            switch answer.content {
            case .multivariant(let multivariant): chose(from: multivariant, requester, turn: &turn)
            case .media(let pod): took(pod, requester, turn: &turn)
            case .segment: tookPart(requester, turn: &turn)
            case .failed(let failure): failed(failure, turn: &turn)
            case .list, .unread, .onLine: return
            }
        }
    }

    /// Whether its line alone keeps the viewer from what the target has answered by then.
    func isOnLine(answeredBy instant: Instant) -> Bool { onLineSince.map { $0 &- lineDelay <= instant } ?? false }

    private var awaitedRole: ViewerRole? {
        switch phase {
        case .manifest: kind == .pod ? .podManifest : .assetManifest
        case .playlist: .podPlaylist
        case .segments(let loading): loading.role
        case .idle, .passed, .complete, .failed: nil
        }
    }

    private mutating func chose(from multivariant: SharedMultivariant, _ requester: Requester, turn: inout Turn) {
        guard case .manifest = phase, let variant = turn.choice(of: multivariant.playlist),
            let url = multivariant.variantURLs[variant]
        else {
            phase = .failed(kind == .pod ? .podEmpty : .assetFailed)
            return
        }
        attempts = LoadAttempts()
        askForPlaylist(url, variant: variant, requester, turn: &turn)
    }

    private mutating func took(_ pod: LoadedPod, _ requester: Requester, turn: inout Turn) {
        if kind == .pod { requester.planned.inspect(pod.content, turn: &turn) }
        // Interstitial assets are VOD (bis-22 appendix D.1): players refuse a live one.
        guard pod.content.segmentCount > 0, pod.playlist.hasEndList || kind == .pod else {
            phase = .failed(kind == .pod ? .podEmpty : .assetFailed)
            return
        }
        guard turn.plan.playback.loadsAdSegments else {
            phase = .complete(pod.content)
            return
        }
        guard turn.plan.impressions == .allowed else {
            turn.count(.adSegmentsWithheld, by: UInt64(pod.content.segmentCount))
            phase = .complete(pod.content)
            return
        }
        attempts = LoadAttempts()
        loadNext(SegmentLoading(pod: pod), requester, turn: &turn)
    }

    private mutating func tookPart(_ requester: Requester, turn: inout Turn) {
        guard case .segments(var loading) = phase else { return }
        if loading.role == .key, turn.persona.keys != .segment {
            loading.pod.playlist.part(at: loading.next).map { loading.keys.append($0) }
        }
        if MediaPlaylist.isSegment(partAt: loading.next) { loading.loaded += 1 }
        loading.next += 1
        attempts = LoadAttempts()
        loadNext(loading, requester, turn: &turn)
    }

    /// Without any loaded part the asset fails.
    private mutating func loadNext(_ loading: SegmentLoading, _ requester: Requester, turn: inout Turn) {
        var loading = loading
        while let reference = loading.pod.playlist.part(at: loading.next) {
            guard !reference.isEmpty, let url = URLReference.resolve(reference, against: loading.pod.url),
                loading.role != .key || url.hasPrefix("http") && !loading.keys.contains(reference)
            else {
                loading.next += 1
                continue
            }
            request(loading.role, url: url, requester, turn: &turn)
            phase = .segments(loading)
            return
        }
        phase =
            loading.loaded > 0
            ? .complete(loading.pod.content) : .failed(kind == .pod ? .segmentFailed : .assetFailed)
    }

    private mutating func failed(_ failure: BreakLoadFailure, turn: inout Turn) {
        guard let role = awaitedRole else { return }
        let rule = rule(of: role, turn)
        guard !attempts.again(after: failure, rule, now: turn.now, chance: &turn.chance) else { return }
        phase = .failed(failure.reason)
    }

    mutating func progress(_ requester: Requester, turn: inout Turn) {
        if attempts.isOverdue(now: turn.now) { failed(.deadline, turn: &turn) }
        guard attempts.isDueAgain(now: turn.now) else { return }
        switch phase {
        case .manifest: ask(requester, turn: &turn)
        case .playlist(let url, let variant): askForPlaylist(url, variant: variant, requester, turn: &turn)
        case .segments(let loading): loadNext(loading, requester, turn: &turn)
        case .idle, .complete, .failed, .passed: break
        }
    }
}

extension Turn {
    var sentPrimaryID: String? { persona.interstitials.sendsPrimaryID ? plan.primaryID(of: number) : nil }
}

extension PlannedBreak {
    func inspect(_ content: AdTimeline, turn: inout Turn) {
        guard content.segmentCount > 0 else {
            let observed = "a pod without segments"
            return turn.found(.emptyPod, of: self, expected: "at least one segment", observed: observed)
        }
        guard let excess = excess(of: content, turn) else { return }
        let code = excess < 0 ? FindingCode.podUnderfilled : .podOverfilled
        let observed = "\(content.durationMicroseconds / 1000) ms"
        let expected = "\(scheduled.duration.nanosecondsHeld / 1_000_000) ms"
        turn.found(code, of: self, expected: expected, observed: observed)
    }

    /// Microseconds by which a pod is too long; nil within the tolerance.
    func excess(of content: AdTimeline, _ turn: Turn) -> Int64? {
        let off = content.durationMicroseconds &- scheduled.duration.nanosecondsHeld / 1000
        let (whole, each) = (turn.plan.pods.durationTolerance, turn.plan.pods.adTolerance)
        // An ad is a whole number of frames, so its length is off by up to one.
        let frames = each.nanosecondsHeld.multipliedClamped(by: Int64(content.ads.count))
        let tolerance = whole.nanosecondsHeld.addingClamped(frames) / 1000
        return off.magnitude > UInt64(max(tolerance, 0)) ? off : nil
    }
}
