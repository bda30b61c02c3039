import HLS
import HTTPTypes
import Synchronization

/// Ads are chosen when the list or single asset is requested, by seed and ID, and by session if the content varies.
final class InterstitialService: Sendable {
    struct Found {
        let script: InterstitialScript
        let occasion: InterstitialOccasion
        let identifier: String
    }

    private struct ListKey: Hashable {
        let identifier: String
        let salt: UInt8
        let base: String
        let startMicroseconds: Int64
        let form: FaultEffects.AssetListForm
        let shift: Duration
        /// The session reports its ads itself.
        let isTracked: Bool
    }

    private struct PlaylistKey: Hashable {
        let asset: DecidedAsset
        /// Nil for the multivariant playlist.
        let profile: ClipProfile?
        let microseconds: Int64
    }

    /// After an interstitial's end, for viewers who seek back.
    private static let remembrance = Duration.seconds(3_600)

    private let scripts: [InterstitialScript]
    private let slots: ProxySlots
    private let standardLead: Duration
    private let pods: PodService
    private let seed: UInt64
    private let lists = BoundedCache<ListKey, Answer>(limit: 512)
    private let playlists = BoundedCache<PlaylistKey, Answer>(limit: 512)
    private let book = Mutex(InterstitialBook())

    init(_ configuration: OriginConfiguration, _ scripts: [InterstitialScript], slots: ProxySlots, pods: PodService) {
        (self.scripts, self.slots, self.pods) = (scripts, slots, pods)
        standardLead = configuration.standardLead
        seed = configuration.seed
    }

    var truth: [String: GroundTruth.InterstitialTruth] { book.withLock { $0.truth } }

    func find(_ identifier: String) -> Found? {
        for script in [scripts, slots.scripts].joined() {
            guard let (occasion, _) = script.find(identifier) else { continue }
            return Found(script: script, occasion: occasion, identifier: identifier)
        }
        return nil
    }

    /// Until an hour after the end.
    private func listed(_ identifier: String, at now: WallTime) -> Found? {
        guard let found = find(identifier) else { return nil }
        guard found.script.schedule != nil else { return found }
        let lead = (found.script.announce ?? standardLead) + (found.script.preload?.ahead ?? .zero)
        let end = found.occasion.start + found.script.length * found.script.together + Self.remembrance
        return now >= found.occasion.start - lead && now < end ? found : nil
    }

    /// `base` is scheme and authority.
    func answer(_ route: InterstitialRoute, _ exchange: Exchange, base: String, aim: PodAim = .everybody) -> Answer {
        guard let found = listed(route.identifier, at: exchange.now) else { return .empty(.notFound) }
        switch route {
        case .list: return list(found, exchange, aim, base: base)
        case .asset(_, let place, let token):
            guard let asset = asset(found, place: place, token: token, exchange, aim) else { return .empty(.notFound) }
            let (viewer, isNamed) = (exchange.interstitialViewer, exchange.primaryID != nil)
            book.withLock { $0.asset(found.identifier, place: place, viewer: viewer, hasPrimaryID: isNamed) }
            return manifest(asset)
        case .playlist(_, let place, let token, let profile):
            guard let asset = asset(found, place: place, token: token, exchange, aim),
                let profile = pods.profile(named: profile)
            else { return .empty(.notFound) }
            return playlist(asset, profile: profile, effects: exchange.effects)
        case .beacon(_, let place, let event):
            let isAsset = Int(place).map(found.script.assets.indices.contains) ?? (place == "all")
            guard isAsset, SignallingBody.isKnown(event) else { return .empty(.notFound) }
            book.withLock {
                $0.beacon(found.identifier, event: "\(place)/\(event)", viewer: exchange.interstitialViewer)
            }
            return .empty(.noContent)
        }
    }

    private func salt(_ found: Found, _ exchange: Exchange, _ aim: PodAim) -> UInt8 {
        if let salt = exchange.effects?.decisionSalt, salt != 0 { return salt }
        guard found.script.contentMayVary == true, let number = exchange.interstitialViewer else { return 0 }
        let chosen = aim == .everybody ? number : UInt64(aim.number)
        return UInt8(1 + SeededHash(seed: seed, found.identifier, chosen).value % 255)
    }

    private func decision(_ found: Found, salt: UInt8) -> PodDecision {
        PodDecision(identifier: "interstitial/\(found.identifier)", salt: salt, seed: seed)
    }

    private func list(_ found: Found, _ exchange: Exchange, _ aim: PodAim, base: String) -> Answer {
        if exchange.effects?.assetList == .garbage {
            return Answer(contentType: .json, caching: .none, body: #"{"ASSETS": [{"URI": "#.utf8)
        }
        let text = exchange.query[InterstitialName.startOffsetParameter]
        guard let start = Self.microseconds(text) else { return .empty(.badRequest) }
        let (viewer, isNamed) = (exchange.interstitialViewer, exchange.primaryID != nil)
        book.withLock { $0.list(found.identifier, viewer: viewer, startOffset: text, hasPrimaryID: isNamed) }
        if exchange.effects?.assetList == .empty {
            return Answer(contentType: .json, caching: .none, body: #"{"ASSETS":[]}"#.utf8)
        }
        let salt = salt(found, exchange, aim)
        let key = ListKey(
            identifier: found.identifier,
            salt: salt,
            base: base,
            startMicroseconds: start,
            form: exchange.effects?.assetList ?? .own,
            shift: exchange.effects?.assetDurationShift ?? .zero,
            isTracked: TailorReporting(exchange.query).isByClient
        )
        return lists.value(key) { Answer(contentType: .json, caching: .none, body: body(found, key).bytes) }
    }

    private static func microseconds(_ text: String?) -> Int64? {
        guard let text else { return 0 }
        guard let seconds = Double(text), seconds >= 0, seconds < 86_400 else { return nil }
        return Int64((seconds * 1_000).rounded()) * 1_000
    }

    /// bis-22 appendix D.2; earlier assets are omitted, and the next one begins at the offset.
    private func body(_ found: Found, _ key: ListKey) -> WrittenJSON {
        let script = found.script
        let decision = decision(found, salt: key.salt)
        let signalling = SignallingBody(script: script, identifier: found.identifier, base: key.base)
        // A player that supports both forms would send each beacon twice.
        let isSignalled = script.signalling.contains(.list) && !key.isTracked
        var begin: Int64 = 0
        var assets: [WrittenJSON] = []
        var ads: [WrittenJSON] = []
        for (place, length) in script.assets.enumerated() {
            let skipped = max(0, key.startMicroseconds - begin)
            begin += length.wholeMicroseconds
            guard skipped < length.wholeMicroseconds else { continue }
            let path = InterstitialPaths.asset(
                found.identifier,
                place: place,
                token: decision.token,
                skippedMilliseconds: skipped / 1_000
            )
            let creative = pods.creative(decision, at: place)
            if key.isTracked { ads.append(signalling.ad(place: place, creative: creative)) }
            let seconds = Double(length.wholeMicroseconds - skipped) / 1e6 + key.shift / .seconds(1)
            assets.append([
                "URI": .text(key.form == .withRelativeAddresses ? path : key.base + path),
                "DURATION": key.form == .withoutDurations ? nil : .number(max(0, seconds)),
                InterstitialName.signalling: isSignalled ? signalling.slot(place: place, creative: creative) : nil,
            ])
        }
        let start = Double(key.startMicroseconds) / 1e6
        return [
            "ASSETS": .list(assets), "SKIP-CONTROL": script.skipControl.flatMap(skipControl),
            InterstitialName.signalling: isSignalled ? signalling.pod : nil,
            "TRACKING": key.isTracked ? signalling.tracking(of: ads, from: start) : nil,
        ]
    }

    private func skipControl(_ control: InterstitialScript.SkipControl) -> WrittenJSON? {
        guard control.inList else { return nil }
        return [
            "OFFSET": .whole(control.offset), "DURATION": control.duration.map(WrittenJSON.whole),
            "LABEL-ID": control.label.map(WrittenJSON.text),
        ]
    }

    /// Nil for an unknown index or token.
    private func asset(
        _ found: Found,
        place: Int,
        token: String?,
        _ exchange: Exchange,
        _ aim: PodAim
    ) -> DecidedAsset? {
        guard found.script.assets.indices.contains(place) else { return nil }
        let made = decision(found, salt: salt(found, exchange, aim))
        let decision = token.map { PodDecision(token: $0, identifier: made.identifier, seed: seed) } ?? made
        let length = found.script.assets[place].wholeMicroseconds
        let skipped = exchange.query[InterstitialPaths.startParameter].map { Int64($0) ?? -1 } ?? 0
        guard let decision, (0..<length / 1_000).contains(skipped) else { return nil }
        return DecidedAsset(
            identifier: found.identifier,
            place: place,
            decision: decision,
            microseconds: length - skipped * 1_000,
            skippedMilliseconds: skipped
        )
    }

    private func manifest(_ asset: DecidedAsset) -> Answer {
        let key = PlaylistKey(asset: asset, profile: nil, microseconds: asset.microseconds)
        return playlists.value(key) {
            let text = pods.listing.text { profile in
                InterstitialPaths.playlist(asset, token: asset.decision.token, profile: profile)
            }
            return Answer(contentType: .playlist, caching: .none, body: text)
        }
    }

    private func playlist(_ asset: DecidedAsset, profile: ClipProfile, effects: FaultEffects?) -> Answer {
        let shift = effects?.podDurationShift.wholeMicroseconds ?? 0
        let length = effects?.isEmptyPod == true ? 0 : max(1_000, asset.microseconds + shift)
        return playlists.value(PlaylistKey(asset: asset, profile: profile, microseconds: length)) {
            let name = pods.creative(asset.decision, at: asset.place)
            let text = pods.assetText(
                folder: InterstitialPaths.creative(name, profile: profile),
                microseconds: length,
                skippedMilliseconds: asset.skippedMilliseconds
            )
            return Answer(contentType: .playlist, caching: .none, body: text)
        }
    }
}

extension Exchange {
    /// `_HLS_primary_id` (bis-22 D.4).
    var primaryID: String? { query[InterstitialName.primaryParameter] }

    /// From `x-podswarm-viewer`, else a hash of the primary ID.
    var interstitialViewer: UInt64? { viewerHash == 0 ? primaryID.map(SeededHash.viewer) : viewerHash }
}
