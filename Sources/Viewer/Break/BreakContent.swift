import AdServing
package import HLS
import Profile
package import Rules
package import Values

package struct ListRequest: Sendable {
    let uri: String
    /// Sent for a viewer that joined inside.
    let startOffset: Duration?
    var attempts = LoadAttempts()

    mutating func ask(_ serial: UInt16, turn: inout Turn) {
        attempts.begin(turn.persona.requests.assetList, now: turn.now)
        if attempts.isRepeated { turn.count(.retries) }
        let (content, id) = (Interstitial.Content.assetList(uri: uri), turn.sentPrimaryID)
        let url = InterstitialQuery.url(of: content, primaryID: id, offset: startOffset)
        turn.fetch(.assetList, url: url, plannedAt: turn.now, index: attempts.made, breakSerial: serial)
    }
}

/// The assets of a break in playing order.
package struct AssetQueue: Sendable {
    /// Nil once it has named the assets, and for content without one.
    var list: ListRequest?
    package var assets: [Asset] = []
    /// Beacons of the whole break, sorted by offset from its start.
    var beacons: [DueBeacon] = []
    /// From the asset list; overrides the tag's.
    package var skipControl: SkipControl?
    /// Requested from the viewer's join on, so that the assets begin there.
    var isTrimmed = false
    /// Nanoseconds that the asset list waited in its socket.
    var handling: Int64 = 0

    init(_ asset: Asset, beacons: [DueBeacon] = []) { (assets, self.beacons) = ([asset], beacons) }

    init(_ list: ListRequest) { (self.list, isTrimmed) = (list, list.startOffset != nil) }

    /// At most 256 assets: requests identify one by a byte.
    fileprivate mutating func take(_ named: AssetList, startOffset: Duration?, beacons: [DueBeacon]) {
        list = nil
        assets = zip(UInt8.min...UInt8.max, named.assets).map {
            Asset(.interstitial, uri: $1.uri, index: $0, listedDuration: $1.duration, beacons: DueBeacon.ofAsset($1))
        }
        let total = named.duration + (startOffset ?? .zero)
        self.beacons = DueBeacon.merged(beacons, DueBeacon.ofList(named, total: total))
        skipControl = named.skipControl
    }

    package var firstUsable: Int? { assets.firstIndex { $0.isUsable } }

    /// Nanoseconds that the list and the first asset's answers waited in their sockets.
    var ownDelay: Int64 { handling &+ (firstUsable.map { assets[$0].handling } ?? 0) }

    /// Nanoseconds by which the viewer's line delayed the first asset.
    var lineDelay: Int64 { firstUsable.map { assets[$0].lineDelay } ?? 0 }

    func hasUsable(after index: Int) -> Bool { assets.dropFirst(index + 1).contains { $0.isUsable } }

    var failure: BreakFailure { assets.count == 1 ? assets.first?.failure ?? .assetFailed : .assetFailed }

    /// Unknown lengths count as 0.
    package func nanoseconds(before index: Int) -> Int64 {
        assets.prefix(index).reduce(0) { $0.addingClamped($1.nanoseconds ?? 0) }
    }

    mutating func passOver(until joinedAt: Duration) {
        guard !isTrimmed else { return }
        var passed = Duration.zero
        for index in assets.indices {
            guard let length = assets[index].listedDuration else { return }
            passed += length
            guard passed <= joinedAt else { return }
            assets[index].pass()
        }
    }

    /// Loads each asset when the one before is loaded (WWDC21 session 10140), or all at once if the player does so.
    mutating func load(_ requester: Asset.Requester, turn: inout Turn) {
        let isTogether = turn.persona.interstitials.loadsAssetsTogether
        for index in assets.indices {
            guard assets[index].isIdle else {
                if assets[index].isUnderWay, !isTogether { return }
                continue
            }
            assets[index].ask(requester, turn: &turn)
            if !isTogether { return }
        }
    }

    mutating func progress(_ requester: Asset.Requester, turn: inout Turn) {
        for index in assets.indices where assets[index].isUnderWay && assets[index].nextInstant <= turn.now {
            assets[index].progress(requester, turn: &turn)
        }
    }

    mutating func answered(_ answer: BreakAnswer, _ requester: Asset.Requester, turn: inout Turn) {
        if assets.indices.contains(Int(answer.index)) {
            assets[Int(answer.index)].answered(answer, requester, turn: &turn)
        }
    }
}

extension Break {
    package enum ContentNews: Sendable, Equatable {
        case nothing
        case inHand
        /// All of it is over for a viewer that joined inside.
        case nothingLeft
        case failed(BreakFailure)
    }

    var requester: Asset.Requester { Asset.Requester(serial: serial, planned: planned) }

    package mutating func ask(turn: inout Turn) {
        guard isUnasked, let content = asked(turn: &turn) else { return }
        resolve(content, turn: &turn)
    }

    private func asked(turn: inout Turn) -> AssetQueue? {
        switch offer.content {
        case .pod:
            guard case .scheduled(let fetch?) = phase, let address = fetch.address else { return nil }
            var queue = AssetQueue(Asset(.pod, uri: address.url))
            queue.load(requester, turn: &turn)
            return queue
        case .interstitial(.asset(let uri)):
            let length = offer.interstitial?.announcedDuration
            var queue = AssetQueue(Asset(.interstitial, uri: uri, listedDuration: length), beacons: offer.beacons)
            queue.load(requester, turn: &turn)
            return queue
        case .interstitial(.assetList(let uri)):
            let offset = turn.persona.interstitials.sendsStartOffset ? joinedAt : nil
            var list = ListRequest(uri: uri, startOffset: offset)
            if booking == .repeated { turn.count(.assetListsRepeated) }
            list.ask(serial, turn: &turn)
            return AssetQueue(list)
        case nil: return nil
        }
    }

    package mutating func answered(_ answer: BreakAnswer, turn: inout Turn) -> ContentNews {
        guard answer.role != .podRepeat else {
            askForRendition(of: answer.content, turn: &turn)
            return .nothing
        }
        let (requester, isAnticipated, beacons, joinedAt) = (requester, isAnticipated, offer.beacons, joinedAt)
        let news = requested.change { content -> ContentNews in
            guard var list = content.list else {
                content.answered(answer, requester, turn: &turn)
                if !isAnticipated { content.load(requester, turn: &turn) }
                return .nothing
            }
            guard answer.role == .assetList, answer.index == list.attempts.made else { return .nothing }
            let failure: BreakLoadFailure
            switch (list.attempts.end(now: turn.receivedAt), answer.content) {
            case (.late, _): failure = .deadline
            case (.inTime, .failed(let reason)): failure = reason
            case (.inTime, .list(let listed)):
                guard let named = listed.played(by: turn.persona.interstitials) else {
                    failure = BreakLoadFailure(.assetListMalformed, nil)
                    break
                }
                content.take(named, startOffset: list.startOffset, beacons: beacons)
                content.handling = turn.handling
                if let joinedAt { content.passOver(until: joinedAt) }
                // Before its range is in the playlist it is unknown whether the break will be played.
                if !isAnticipated { content.load(requester, turn: &turn) }
                return content.assets.isEmpty && !content.isTrimmed ? .failed(.assetListEmpty) : .nothing
            case (.unawaited, _), (.inTime, .multivariant), (.inTime, .media), (.inTime, .segment),
                (.inTime, .onLine), (.inTime, .unread):
                return .nothing
            }
            defer { content.list = list }
            return list.failed(failure, turn: &turn)
        }
        return judged(news ?? .nothing)
    }

    package mutating func progress(turn: inout Turn) -> ContentNews {
        guard content.map({ $0.nextInstant <= turn.now }) ?? false else { return .nothing }
        let (requester, isAnticipated) = (requester, isAnticipated)
        let news = requested.change { content -> ContentNews in
            guard var list = content.list else {
                content.progress(requester, turn: &turn)
                if !isAnticipated { content.load(requester, turn: &turn) }
                return .nothing
            }
            defer { content.list = list }
            let isOverdue = list.attempts.isOverdue(now: turn.now)
            let news = isOverdue ? list.failed(.deadline, turn: &turn) : .nothing
            if list.attempts.isDueAgain(now: turn.now) { list.ask(requester.serial, turn: &turn) }
            return news
        }
        return judged(news ?? .nothing)
    }

    private func judged(_ news: ContentNews) -> ContentNews {
        guard news == .nothing, let queue else { return news }
        switch phase {
        case .resolving, .waiting: break
        case .deferred(let deferral) where deferral.inHandAt == nil: break
        case .anticipated, .ready, .deferred: return queue.firstUsable == nil ? .failed(queue.failure) : .nothing
        case .scheduled, .playing, .lapsed, .over: return .nothing
        }
        guard let first = queue.firstUsable else {
            return queue.assets.allSatisfy(\.isPassed) ? .nothingLeft : .failed(queue.failure)
        }
        return queue.assets[first].playable == nil ? .nothing : .inHand
    }

    /// Requests the pod once more, to compare the answers, for a share of sessions.
    package func askOnceMore(for pod: Asset, turn: inout Turn) {
        guard turn.chance.happens(turn.plan.pods.repeatShare) else { return }
        turn.fetch(.podRepeat, url: pod.uri, plannedAt: turn.now, breakSerial: serial)
    }

    /// The rendition shows the pod's content.
    private func askForRendition(of again: BreakAnswer.Content, turn: inout Turn) {
        guard case .multivariant(let multivariant) = again, let variant = turn.choice(of: multivariant.playlist),
            let url = multivariant.variantURLs[variant], let index = UInt8(exactly: variant)
        else { return }
        turn.fetch(.podRepeatPlaylist, url: url, plannedAt: turn.now, index: index, breakSerial: serial)
    }

    /// Loads the assets of a break that left `anticipated`, if its list is there.
    package mutating func loadAnticipated(turn: inout Turn) -> ContentNews {
        guard case .resolving = phase else { return .nothing }
        let (requester, joinedAt) = (requester, joinedAt)
        _ = requested.change { content in
            guard content.list == nil else { return }
            if let joinedAt { content.passOver(until: joinedAt) }
            content.load(requester, turn: &turn)
        }
        return judged(.nothing)
    }
}

extension AssetList {
    /// Nil if the player refuses the list.
    fileprivate func played(by player: InterstitialFacts) -> AssetList? {
        guard incomplete == nil || player.leavesOutIncomplete else { return nil }
        var list = self
        list.assets.removeAll {
            !$0.hasNumber && !player.readsTextDurations || !$0.isAbsolute && !player.resolvesAssets
        }
        return list
    }
}

extension ListRequest {
    fileprivate mutating func failed(_ failure: BreakLoadFailure, turn: inout Turn) -> Break.ContentNews {
        let rule = turn.persona.requests.assetList
        let isAgain = attempts.again(after: failure, rule, now: turn.now, chance: &turn.chance)
        return isAgain ? .nothing : .failed(failure.reason)
    }
}

extension AssetQueue {
    package var nextInstant: Instant {
        list?.attempts.nextInstant ?? assets.reduce(.distantFuture) { min($0, $1.nextInstant) }
    }

    /// Whether something of it is still to be loaded.
    var isUnderWay: Bool { list?.attempts.isUnderWay ?? assets.contains { $0.isIdle || $0.isUnderWay } }
}
