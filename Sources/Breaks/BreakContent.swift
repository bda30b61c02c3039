import AdServing
package import Audience
package import HLS
import LoadProfile
import Players
package import Rulebook
package import Time

/// What a break brings, as far as it was asked for.
package enum BreakContent: Sendable {
    /// Its list was asked for, and names no assets yet.
    case list(ListRequest)
    case assets(AssetQueue)
    /// It is part of the programme, and nothing is asked for.
    case inProgramme
}

/// The request for an asset list.
package struct ListRequest: Sendable {
    let uri: String
    /// Where a viewer that joined inside begins, as the request says; nil where it says nothing of that.
    let startOffset: Duration?
    var attempts = LoadAttempts()

    mutating func ask(_ serial: UInt16, turn: inout Turn) {
        attempts.begin(turn.persona.requests.assetList, now: turn.now)
        if attempts.isRepeated { turn.count(.retries) }
        let query = InterstitialQuery(primaryID: turn.sentPrimaryID, startOffset: startOffset)
        turn.fetch(
            .assetList,
            url: query.assetListURL(uri),
            plannedAt: turn.now,
            index: attempts.made,
            breakSerial: serial
        )
    }
}

/// The assets of a break in the order in which they are played.
package struct AssetQueue: Sendable {
    package var assets: [Asset]
    /// Beacons of the break as a whole, by their time from its start.
    var beacons: [DueBeacon] = []
    /// Of the asset list, which overrides the tag's.
    package var skipControl: SkipControl?
    /// True where the list was asked for from where the viewer joined on, so that the assets begin there.
    var isTrimmed = false
    /// Nanoseconds that the asset list had lain in its socket.
    var handling: Int64 = 0

    init(_ asset: Asset, beacons: [DueBeacon] = []) {
        self.assets = [asset]
        self.beacons = beacons
    }

    /// What a list names; what one request of an asset is told apart by is one byte.
    init(_ list: AssetList, startOffset: Duration?, beacons: [DueBeacon]) {
        assets = list.assets.prefix(256).map {
            Asset(
                .interstitial,
                uri: $0.uri,
                listedDuration: $0.duration,
                isSound: $0.isSound,
                beacons: DueBeacon.ofAsset($0)
            )
        }
        let total = list.duration + (startOffset ?? .zero)
        self.beacons = DueBeacon.merged(beacons, DueBeacon.ofList(list, total: total))
        skipControl = list.skipControl
        isTrimmed = startOffset != nil
    }

    /// The asset that is to be played first; nil where none is left.
    package var firstUsable: Int? { assets.firstIndex { $0.isUsable } }

    /// Nanoseconds by which the first asset was there earlier than podswarm had it, by its list and its own answers.
    var ownDelay: Int64 { handling &+ (firstUsable.map { assets[$0].handling } ?? 0) }

    func hasUsable(after index: Int) -> Bool { assets.dropFirst(index + 1).contains { $0.isUsable } }

    /// Why none is left: of a break with one asset that one's reason, of a list that its assets failed.
    var failure: BreakFailure { assets.count == 1 ? assets.first?.failure ?? .assetFailed : .assetFailed }

    /// Nanoseconds of the assets before one, as far as they are known.
    package func nanoseconds(before index: Int) -> Int64 {
        assets.prefix(index).reduce(0) { $0.addingClamped($1.nanoseconds ?? 0) }
    }

    /// A viewer that joins inside of a break does not load the assets that it will not see.
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

    /// Loads what is to be loaded now: each asset when the one before is loaded (WWDC21 session 10140), or all at once where
    /// the player does so.
    mutating func load(_ identity: BreakIdentity, turn: inout Turn) {
        let isTogether = turn.persona.interstitials.loadsAssetsTogether
        for index in assets.indices {
            guard assets[index].isIdle else {
                if assets[index].isUnderWay, !isTogether { return }
                continue
            }
            assets[index].ask(identity.requester(index), turn: &turn)
            if !isTogether { return }
        }
    }

    /// Gives up, asks again, and goes on to the next asset where it is time for any of that.
    mutating func progress(_ identity: BreakIdentity, turn: inout Turn) {
        for index in assets.indices where assets[index].isUnderWay && assets[index].nextInstant <= turn.now {
            assets[index].progress(identity.requester(index), turn: &turn)
        }
    }

    mutating func answered(_ answer: BreakAnswer, _ identity: BreakIdentity, turn: inout Turn) {
        guard assets.indices.contains(Int(answer.index)) else { return }
        assets[Int(answer.index)].answered(answer, identity.requester(Int(answer.index)), turn: &turn)
    }
}

/// Under which name a break makes its requests.
struct BreakIdentity: Sendable {
    let serial: UInt16
    let planned: PlannedBreak

    func requester(_ index: Int) -> Asset.Requester {
        Asset.Requester(serial: serial, index: UInt8(truncatingIfNeeded: index), planned: planned)
    }
}

// How a break's content is asked for and taken.
extension Break {
    /// What became of a break's content.
    package enum ContentNews: Sendable, Equatable {
        case nothing
        /// The first asset that can be played is there.
        case inHand
        /// A viewer that joined inside finds that all of it is over.
        case nothingLeft
        case failed(BreakFailure)
    }

    var identity: BreakIdentity { BreakIdentity(serial: serial, planned: planned) }

    /// Asks for what the break brings.
    package mutating func ask(turn: inout Turn) {
        guard isUnasked, let content = asked(turn: &turn) else { return }
        resolve(content)
    }

    private func asked(turn: inout Turn) -> BreakContent? {
        switch offer.content {
        case .pod:
            guard case .scheduled(.pod(let fetch)) = phase, let address = fetch.address else { return nil }
            var queue = AssetQueue(Asset(.pod, uri: address.url))
            queue.load(identity, turn: &turn)
            return .assets(queue)
        case .asset(let uri):
            let length = offer.interstitial?.announcedDuration
            var queue = AssetQueue(Asset(.interstitial, uri: uri, listedDuration: length), beacons: offer.beacons)
            queue.load(identity, turn: &turn)
            return .assets(queue)
        case .assetList(let uri):
            let offset = turn.persona.interstitials.sendsStartOffset ? joinedAt : nil
            var list = ListRequest(uri: uri, startOffset: offset)
            if booking == .repeated { turn.count(.assetListsRepeated) }
            list.ask(serial, turn: &turn)
            return .list(list)
        case nil: return nil
        }
    }

    /// Takes an answer to one of its requests.
    package mutating func answered(_ answer: BreakAnswer, turn: inout Turn) -> ContentNews {
        guard answer.role != .podRepeat else {
            askForRendition(of: answer.content, turn: &turn)
            return .nothing
        }
        let identity = identity
        let isAnticipated = if case .anticipated = phase { true } else { false }
        let beacons = offer.beacons
        let joinedAt = joinedAt
        let news = withContent { content -> ContentNews in
            switch content {
            case .list(var list):
                guard answer.role == .assetList, answer.index == list.attempts.made else { return .nothing }
                switch list.attempts.end(now: turn.receivedAt) {
                case .unawaited: return .nothing
                case .late: return list.failed(.deadline, in: &content, turn: &turn)
                case .inTime: break
                }
                switch answer.content {
                case .list(let named):
                    var queue = AssetQueue(named, startOffset: list.startOffset, beacons: beacons)
                    queue.handling = turn.handling
                    if let joinedAt { queue.passOver(until: joinedAt) }
                    // Before its range is in the playlist, nobody knows whether it will be played.
                    if !isAnticipated { queue.load(identity, turn: &turn) }
                    content = .assets(queue)
                    return queue.assets.isEmpty && !queue.isTrimmed ? .failed(.assetListEmpty) : .nothing
                case .failed(let failure): return list.failed(failure, in: &content, turn: &turn)
                case .multivariant, .media, .segment, .unread: return .nothing
                }
            case .assets(var queue):
                content = .assets(AssetQueue.none)
                queue.answered(answer, identity, turn: &turn)
                if !isAnticipated { queue.load(identity, turn: &turn) }
                content = .assets(queue)
                return .nothing
            case .inProgramme: return .nothing
            }
        }
        return judged(news ?? .nothing)
    }

    /// Does what is due about its content by now.
    package mutating func progress(turn: inout Turn) -> ContentNews {
        guard let content, content.nextInstant <= turn.now else { return .nothing }
        let identity = identity
        let isAnticipated = if case .anticipated = phase { true } else { false }
        let news = withContent { content -> ContentNews in
            switch content {
            case .list(var list):
                if list.attempts.isOverdue(now: turn.now) {
                    let rule = turn.persona.requests.assetList
                    guard list.attempts.again(after: .deadline, rule, now: turn.now, chance: &turn.chance) else {
                        return .failed(BreakLoadFailure.deadline.reason)
                    }
                }
                if list.attempts.isDueAgain(now: turn.now) { list.ask(identity.serial, turn: &turn) }
                content = .list(list)
                return .nothing
            case .assets(var queue):
                content = .assets(AssetQueue.none)
                queue.progress(identity, turn: &turn)
                if !isAnticipated { queue.load(identity, turn: &turn) }
                content = .assets(queue)
                return .nothing
            case .inProgramme: return .nothing
            }
        }
        return judged(news ?? .nothing)
    }

    /// What the content has come to, for a break that still waits for it.
    private func judged(_ news: ContentNews) -> ContentNews {
        guard news == .nothing, case .assets(let queue) = content else { return news }
        switch phase {
        case .resolving, .waiting: break
        case .deferred(_, let deferral) where deferral.inHandAt == nil: break
        case .anticipated, .ready, .deferred: return queue.firstUsable == nil ? .failed(queue.failure) : .nothing
        case .scheduled, .playing, .lapsed, .over: return .nothing
        }
        guard let first = queue.firstUsable else {
            return queue.assets.allSatisfy(\.isPassed) ? .nothingLeft : .failed(queue.failure)
        }
        return queue.assets[first].playable == nil ? .nothing : .inHand
    }

    /// Some sessions ask for the same pod once more, to see whether they get it.
    package func askOnceMore(for pod: Asset, turn: inout Turn) {
        guard turn.chance.happens(turn.plan.pods.repeatShare) else { return }
        turn.fetch(.podRepeat, url: pod.uri, plannedAt: turn.now, breakSerial: serial)
    }

    /// Of a pod that was asked for once more, the rendition that the viewer plays is loaded again: it tells what is played.
    private func askForRendition(of again: BreakAnswer.Content, turn: inout Turn) {
        guard case .multivariant(let multivariant) = again, let variant = turn.choice(of: multivariant.playlist),
            let url = multivariant.variantURLs[variant], let index = UInt8(exactly: variant)
        else { return }
        turn.fetch(.podRepeatPlaylist, url: url, plannedAt: turn.now, index: index, breakSerial: serial)
    }

    /// The range that a preload range spoke of is in the playlist: its assets are loaded, where its list is there.
    package mutating func loadAnticipated(turn: inout Turn) -> ContentNews {
        guard case .resolving = phase else { return .nothing }
        let identity = identity
        let joinedAt = joinedAt
        _ = withContent { content in
            guard case .assets(var queue) = content else { return }
            if let joinedAt { queue.passOver(until: joinedAt) }
            queue.load(identity, turn: &turn)
            content = .assets(queue)
        }
        return judged(.nothing)
    }
}

extension ListRequest {
    fileprivate func failed(_ failure: BreakLoadFailure, in content: inout BreakContent, turn: inout Turn)
        -> Break.ContentNews
    {
        var list = self
        let isAgain = list.attempts.again(
            after: failure,
            turn.persona.requests.assetList,
            now: turn.now,
            chance: &turn.chance
        )
        content = .list(list)
        return isAgain ? .nothing : .failed(failure.reason)
    }
}

extension AssetQueue {
    /// Stands in while the queue is changed elsewhere, so that it is not copied.
    fileprivate static let none = AssetQueue(AssetList(assets: []), startOffset: nil, beacons: [])
}

extension BreakContent {
    /// When anything follows by itself, if ever.
    package var nextInstant: Instant {
        switch self {
        case .list(let list): list.attempts.nextInstant
        case .assets(let queue): queue.assets.reduce(.distantFuture) { min($0, $1.nextInstant) }
        case .inProgramme: .distantFuture
        }
    }

    /// Whether its list is being asked for.
    package var isResolvingList: Bool {
        if case .list(let list) = self { list.attempts.isUnderWay } else { false }
    }

    package var queue: AssetQueue? {
        if case .assets(let queue) = self { queue } else { nil }
    }
}
