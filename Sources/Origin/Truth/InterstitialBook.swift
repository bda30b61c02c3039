import HLS

/// What was asked for each interstitial, bounded: the oldest are forgotten, and viewers beyond a number not told apart.
struct InterstitialBook: Sendable {
    static let maximumInterstitials = 2_048
    /// Viewers told apart for one interstitial.
    static let maximumViewers = 131_072
    /// Start offsets listed for one interstitial; further ones are counted as `otherOffsets`.
    static let maximumOffsets = 64
    static let otherOffsets = "(other)"

    /// A viewer's ping, to tell the first from repetitions.
    fileprivate struct Ping: Hashable {
        let viewer: UInt64
        let event: String
    }

    fileprivate struct Entry {
        var truth = GroundTruth.InterstitialTruth()
        var viewers: Set<UInt64> = []
        var pings: Set<Ping> = []
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// An asset list was answered with 200.
    mutating func list(_ identifier: String, viewer: UInt64?, startOffset: String?, hasPrimaryID: Bool) {
        change(identifier) { entry in
            entry.truth.lists += 1
            if let startOffset {
                let isListed =
                    entry.truth.startOffsets[startOffset] != nil
                    || entry.truth.startOffsets.count < Self.maximumOffsets
                entry.truth.startOffsets[isListed ? startOffset : Self.otherOffsets, default: 0] += 1
            }
            entry.note(viewer: viewer, hasPrimaryID: hasPrimaryID)
        }
    }

    /// The first playlist of an asset was answered with 200.
    mutating func asset(_ identifier: String, place: Int, viewer: UInt64?, hasPrimaryID: Bool) {
        change(identifier) { entry in
            entry.truth.assets[String(place), default: 0] += 1
            entry.note(viewer: viewer, hasPrimaryID: hasPrimaryID)
        }
    }

    /// A tracking ping was answered; `event` names the asset and the event.
    mutating func beacon(_ identifier: String, event: String, viewer: UInt64?) {
        change(identifier) { entry in
            entry.truth.beacons[event, default: 0] += 1
            guard let viewer, entry.pings.count < Self.maximumViewers * 8 else { return }
            if !entry.pings.insert(Ping(viewer: viewer, event: event)).inserted { entry.truth.repeatedBeacons += 1 }
        }
    }

    var truth: [String: GroundTruth.InterstitialTruth] {
        entries.mapValues { entry in
            var truth = entry.truth
            truth.viewers = entry.viewers.count
            return truth
        }
    }

    private mutating func change(_ identifier: String, _ body: (inout Entry) -> Void) {
        if entries[identifier] == nil {
            order.append(identifier)
            if order.count > Self.maximumInterstitials { entries[order.removeFirst()] = nil }
        }
        body(&entries[identifier, default: Entry()])
    }
}

extension InterstitialBook.Entry {
    fileprivate mutating func note(viewer: UInt64?, hasPrimaryID: Bool) {
        if !hasPrimaryID { truth.withoutPrimary += 1 }
        if let viewer, viewers.count < InterstitialBook.maximumViewers { viewers.insert(viewer) }
    }
}
