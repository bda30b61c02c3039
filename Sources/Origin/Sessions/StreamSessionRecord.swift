import HLS

/// A pod that a session asked for, with the media verifications that may come for it.
struct AskedPod: Sendable {
    let decision: PodDecision
    let podMicroseconds: Int64
    /// Lengths of the ads in microseconds.
    let ads: [Int64]
    /// One bit per ad and event, set once verified.
    private var fired: [UInt64]

    init(decision: PodDecision, podMicroseconds: Int64, ads: [Int64]) {
        self.decision = decision
        self.podMicroseconds = podMicroseconds
        self.ads = ads
        fired = Array(repeating: 0, count: (ads.count * MediaTag.Event.allCases.count + 63) / 64)
    }

    /// Sets the mark of a tag; false when it does not exist or was set already.
    mutating func fire(_ tag: MediaTag) -> Bool {
        guard let bit = bit(of: tag), fired[bit / 64] & 1 << (bit % 64) == 0 else { return false }
        fired[bit / 64] |= 1 << (bit % 64)
        return true
    }

    /// Whether the mark of a tag is set.
    func isFired(_ tag: MediaTag) -> Bool { bit(of: tag).map { fired[$0 / 64] & 1 << ($0 % 64) != 0 } ?? false }

    /// Nil for a tag that does not exist.
    private func bit(of tag: MediaTag) -> Int? {
        guard tag.decision == decision.mediaNumber, ads.indices.contains(tag.ad) else { return nil }
        return tag.ad * MediaTag.Event.allCases.count + Int(tag.event.rawValue)
    }
}

/// What the origin remembers of one registered stream session.
struct StreamSessionRecord: Sendable {
    /// Counted from 0 in the order of registration.
    let number: UInt64
    var aim = PodAim.everybody
    let validUntil: WallTime
    /// The viewer that was told of it; nil where nobody was.
    var owner: UInt64?
    var requests = 0
    var podManifests = 0
    /// How often each pod was asked for, by identifier.
    var repetitions: [String: Int] = [:]
    /// The newest pods, oldest first; older ones are out of the metadata and cannot be verified any more.
    var asked: [AskedPod] = []

    /// Pods that metadata lists.
    static let maximumAsked = 6
    /// Pods whose repetitions are known, newest kept.
    static let maximumRepetitions = 64
}
