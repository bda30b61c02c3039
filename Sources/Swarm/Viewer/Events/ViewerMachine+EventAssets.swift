import AdServing
import HLS
import LoadProfile
import Measurement

// The assets of an interstitial, followed as a player does: manifest, playlist, segments, one asset after another.
extension ViewerMachine {
    /// The list or the one asset is known: its first assets are loaded, or all where the player loads them together.
    mutating func askForFirstAssets(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        if !self.events.state.entries[index].isListTrimmed {
            self.passOverWhatIsPast(index)
        }
        guard self.events.state.entries[index].firstUsable != nil else {
            self.nothingIsLeft(index, now: now, actions: &actions)
            return
        }
        guard self.persona.interstitials.loadsAssetsTogether else {
            self.askForNextAsset(index, now: now, actions: &actions)
            return
        }
        for asset in self.events.state.entries[index].assets.indices
        where self.events.state.entries[index].assets[asset].phase == .idle {
            self.askForAsset(index, asset, now: now, actions: &actions)
        }
    }

    /// A viewer that joins inside of an interstitial does not load the assets that it will not see.
    private mutating func passOverWhatIsPast(_ index: Int) {
        guard let joinedAt = self.events.state.entries[index].joinedAt else { return }
        var passed = Duration.zero
        for asset in self.events.state.entries[index].assets.indices {
            guard let length = self.events.state.entries[index].assets[asset].listedDuration else { return }
            passed += length
            guard passed <= joinedAt else { return }
            self.events.state.entries[index].assets[asset].phase = .passed
        }
    }

    /// Loads the next asset, unless one is being loaded: each when the one before is buffered (WWDC21 session 10140).
    private mutating func askForNextAsset(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        let assets = self.events.state.entries[index].assets
        guard !assets.contains(where: { $0.isUnderWay }), let next = assets.firstIndex(where: { $0.phase == .idle })
        else { return }
        self.askForAsset(index, next, now: now, actions: &actions)
    }

    mutating func askForAsset(_ index: Int, _ asset: Int, now: Int64, actions: inout [ViewerAction]) {
        let entry = self.events.state.entries[index]
        let query = InterstitialQuery(primaryID: self.persona.interstitials.sendsPrimaryID ? self.primaryID : nil)
        let url = query.assetURL(entry.assets[asset].uri)
        self.events.state.entries[index].assets[asset].phase = .manifest
        self.ask(.assetManifest, index, asset, url: url, now: now, actions: &actions)
    }

    private mutating func ask(
        _ role: ViewerRole,
        _ index: Int,
        _ asset: Int,
        url: String,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let rule = self.rule(of: role)
        var attempts = self.events.state.entries[index].assets[asset].attempts
        attempts.made &+= 1
        attempts.retryAt = .max
        attempts.askedAt = now
        attempts.isUnderWay = true
        attempts.deadline = rule.total.map { now.later(by: $0.nanosecondsHeld) } ?? .max
        self.events.state.entries[index].assets[asset].attempts = attempts
        let serial = self.events.state.entries[index].serial
        self.fetchOfEvent(
            role,
            url: url,
            plannedAt: now,
            serial: serial,
            index: UInt8(truncatingIfNeeded: asset),
            actions: &actions
        )
    }

    private func rule(of role: ViewerRole) -> RequestRule {
        switch role {
        case .assetManifest: self.persona.requests.asset
        case .podPlaylist: self.persona.requests.playlist
        default: self.persona.requests.segment
        }
    }

    // MARK: Answers

    mutating func assetAnswered(_ index: Int, _ answer: EventAnswer, now: Int64, actions: inout [ViewerAction]) {
        let asset = Int(answer.index)
        guard self.events.state.entries[index].assets.indices.contains(asset) else { return }
        let state = self.events.state.entries[index].assets[asset]
        // Of an asset that was given up, and of an attempt that was: counted and not read.
        guard state.attempts.isUnderWay, state.awaits(answer.role) else { return }
        self.events.state.entries[index].assets[asset].attempts.isUnderWay = false
        self.events.state.entries[index].assets[asset].attempts.deadline = .max
        switch answer.content {
        case .list: return
        case .multivariant(let multivariant):
            self.chose(from: multivariant, index, asset, now: now, actions: &actions)
        case .media(let pod): self.took(pod, index, asset, now: now, actions: &actions)
        case .segment: self.tookSegment(index, asset, now: now, actions: &actions)
        case .failed(let failure):
            self.loadFailed(failure, index, asset, role: answer.role, now: now, actions: &actions)
        }
    }

    private mutating func chose(
        from multivariant: SharedMultivariant,
        _ index: Int,
        _ asset: Int,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard
            self.events.state.entries[index].assets[asset].phase == .manifest,
            let variant = self.choice(of: multivariant.playlist), let url = multivariant.variantURLs[variant]
        else {
            self.failAsset(index, asset, now: now, actions: &actions)
            return
        }
        self.events.state.entries[index].assets[asset].phase = .playlist
        self.events.state.entries[index].assets[asset].playlistURL = url
        self.events.state.entries[index].assets[asset].attempts = LoadAttempts()
        self.ask(.podPlaylist, index, asset, url: url, now: now, actions: &actions)
    }

    private mutating func took(
        _ pod: LoadedPod,
        _ index: Int,
        _ asset: Int,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        // Interstitial assets are VOD (bis-22 appendix D.1): players refuse one that goes on.
        guard pod.content.segmentCount > 0, pod.playlist.hasEndList else {
            self.failAsset(index, asset, now: now, actions: &actions)
            return
        }
        self.events.state.entries[index].assets[asset].content = pod.content
        self.events.state.entries[index].assets[asset].attempts = LoadAttempts()
        switch self.plan.playback.segments {
        case .ads, .all:
            self.events.state.entries[index].assets[asset].phase = .segments
            self.events.state.entries[index].assets[asset].loading = PodLoading(pod: pod)
            self.loadNextPart(index, asset, now: now, actions: &actions)
        case .none, .content:
            self.becamePlayable(index, asset, now: now, actions: &actions)
            self.complete(index, asset, now: now, actions: &actions)
        }
    }

    private mutating func tookSegment(_ index: Int, _ asset: Int, now: Int64, actions: inout [ViewerAction]) {
        guard let loading = self.events.state.entries[index].assets[asset].loading else { return }
        let wasSegment = loading.pod.playlist.isSegment(partAt: loading.nextItem)
        self.events.state.entries[index].assets[asset].loading?.nextItem += 1
        self.events.state.entries[index].assets[asset].attempts = LoadAttempts()
        if wasSegment {
            self.becamePlayable(index, asset, now: now, actions: &actions)
        }
        self.loadNextPart(index, asset, now: now, actions: &actions)
    }

    private mutating func loadNextPart(_ index: Int, _ asset: Int, now: Int64, actions: inout [ViewerAction]) {
        guard let loading = self.events.state.entries[index].assets[asset].loading else { return }
        var next = loading.nextItem
        while let reference = loading.pod.playlist.part(at: next) {
            guard !reference.isEmpty, let url = URLReference.resolve(reference, against: loading.pod.url) else {
                next += 1
                continue
            }
            self.events.state.entries[index].assets[asset].loading?.nextItem = next
            self.ask(.podSegment, index, asset, url: url, now: now, actions: &actions)
            return
        }
        self.events.state.entries[index].assets[asset].loading = nil
        if self.events.state.entries[index].assets[asset].isPlayable {
            self.complete(index, asset, now: now, actions: &actions)
        } else {
            self.failAsset(index, asset, now: now, actions: &actions)
        }
    }

    /// The first of an asset that can be played; of the first asset, the interstitial's content is in hand.
    private mutating func becamePlayable(_ index: Int, _ asset: Int, now: Int64, actions: inout [ViewerAction]) {
        guard !self.events.state.entries[index].assets[asset].isPlayable else { return }
        self.events.state.entries[index].assets[asset].isPlayable = true
        self.cameInHand(index, now: now, actions: &actions)
    }

    /// The interstitial can begin once the first asset that did not fail can.
    private mutating func cameInHand(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        let entry = self.events.state.entries[index]
        guard let first = entry.firstUsable, entry.assets[first].isPlayable, let content = entry.assets[first].content
        else { return }
        switch entry.phase {
        case .resolving:
            self.events.state.entries[index].phase = .ready
        case .waiting: break
        case .anticipated, .scheduled, .ready, .playing, .over: return
        }
        self.events.state.entries[index].inHandAt = now
        actions.append(.noteOfEvent(entry.event.planned, .podInHand(content)))
        if entry.phase == .waiting {
            self.startPlaying(index, now: now, actions: &actions)
        }
    }

    private mutating func complete(_ index: Int, _ asset: Int, now: Int64, actions: inout [ViewerAction]) {
        guard self.events.state.entries[index].assets.indices.contains(asset) else { return }
        self.events.state.entries[index].assets[asset].phase = .complete
        guard self.events.state.entries[index].phase != .over else { return }
        self.askForNextAsset(index, now: now, actions: &actions)
    }

    // MARK: Failures

    private mutating func loadFailed(
        _ failure: EventLoadFailure,
        _ index: Int,
        _ asset: Int,
        role: ViewerRole,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let made = self.events.state.entries[index].assets[asset].attempts.made
        if let wait = self.wait(after: failure, made: made, rule: self.rule(of: role)) {
            self.events.state.entries[index].assets[asset].attempts.retryAt = now.later(by: wait.nanosecondsHeld)
            return
        }
        let isOnly = self.events.state.entries[index].isSingleAsset
        self.failAsset(index, asset, reason: isOnly ? failure.reason : nil, now: now, actions: &actions)
    }

    mutating func retryAssets(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        for asset in self.events.state.entries[index].assets.indices {
            let state = self.events.state.entries[index].assets[asset]
            guard state.attempts.retryAt <= now else { continue }
            switch state.phase {
            case .manifest: self.askForAsset(index, asset, now: now, actions: &actions)
            case .playlist: self.ask(.podPlaylist, index, asset, url: state.playlistURL, now: now, actions: &actions)
            case .segments: self.loadNextPart(index, asset, now: now, actions: &actions)
            case .idle, .passed, .complete, .failed:
                self.events.state.entries[index].assets[asset].attempts.retryAt = .max
            }
        }
    }

    mutating func giveUpAssets(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        for asset in self.events.state.entries[index].assets.indices {
            guard self.events.state.entries[index].assets.indices.contains(asset) else { return }
            let state = self.events.state.entries[index].assets[asset]
            guard state.attempts.isUnderWay, state.attempts.deadline <= now, let role = state.awaitedRole else {
                continue
            }
            self.events.state.entries[index].assets[asset].attempts.isUnderWay = false
            self.events.state.entries[index].assets[asset].attempts.deadline = .max
            self.loadFailed(.timeout, index, asset, role: role, now: now, actions: &actions)
        }
    }

    /// One asset of a list that fails is left out; where none is left, the interstitial is cancelled (bis-22 appendix D.5).
    private mutating func failAsset(
        _ index: Int,
        _ asset: Int,
        reason: BreakFailure? = nil,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.events.state.entries[index].assets[asset].phase = .failed
        self.events.state.entries[index].assets[asset].loading = nil
        let entry = self.events.state.entries[index]
        guard entry.phase != .over else { return }
        guard entry.phase == .playing || entry.firstUsable != nil else {
            self.failEvent(index, reason ?? .assetFailed, now: now, actions: &actions)
            return
        }
        self.askForNextAsset(index, now: now, actions: &actions)
        self.cameInHand(index, now: now, actions: &actions)
    }
}

extension AssetState {
    var isUnderWay: Bool {
        switch self.phase {
        case .manifest, .playlist, .segments: true
        case .idle, .passed, .complete, .failed: false
        }
    }

    /// What the next answer is to; nil where nothing is asked for.
    var awaitedRole: ViewerRole? {
        switch self.phase {
        case .manifest: .assetManifest
        case .playlist: .podPlaylist
        case .segments: .podSegment
        case .idle, .passed, .complete, .failed: nil
        }
    }

    func awaits(_ role: ViewerRole) -> Bool { self.awaitedRole == role }
}
