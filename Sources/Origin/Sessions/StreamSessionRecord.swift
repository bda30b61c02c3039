import HLS

struct AskedPod: Sendable {
    let decision: PodDecision
    let podMicroseconds: Int64
    /// Lengths in microseconds.
    let ads: [Int64]
    /// One bit per ad and event, set once verified.
    private var fired: [UInt64]

    init(decision: PodDecision, podMicroseconds: Int64, ads: [Int64]) {
        self.decision = decision
        self.podMicroseconds = podMicroseconds
        self.ads = ads
        fired = Array(repeating: 0, count: (ads.count * MediaTag.Event.allCases.count + 63) / 64)
    }

    mutating func fire(_ tag: MediaTag) -> Bool {
        guard let bit = bit(of: tag), fired[bit / 64] & 1 << (bit % 64) == 0 else { return false }
        fired[bit / 64] |= 1 << (bit % 64)
        return true
    }

    func isFired(_ tag: MediaTag) -> Bool { bit(of: tag).map { fired[$0 / 64] & 1 << ($0 % 64) != 0 } ?? false }

    private func bit(of tag: MediaTag) -> Int? {
        guard tag.decision == decision.mediaNumber, ads.indices.contains(tag.ad) else { return nil }
        return tag.ad * MediaTag.Event.allCases.count + Int(tag.event.rawValue)
    }
}

struct StreamSessionRecord: Sendable {
    let number: UInt64
    var aim = PodAim.everybody
    let validUntil: WallTime
    /// Hash of the viewer that received the session; nil if none did.
    var owner: UInt64?
    var requests = 0
    var podManifests = 0
    /// Requests of each pod, by identifier.
    var repetitions: [String: Int] = [:]
    /// Newest pods, oldest first; older ones are not in the metadata and cannot be verified any more.
    var asked: [AskedPod] = []

    static let maximumAsked = 6
    /// Limit of counted pods; all are dropped beyond it.
    static let maximumRepetitions = 64
}
