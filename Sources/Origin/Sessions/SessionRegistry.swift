import HLS
import HTTPTypes
import Synchronization
import Values

/// Safe for any thread; keeps expired sessions for a while, to tell them from unknown ones.
final class SessionRegistry: Sendable {
    enum Standing: Equatable {
        case active, expired, unknown
    }

    private struct State {
        var sessions: [String: StreamSessionRecord] = [:]
        /// Oldest session kept; sessions expire in the order of their numbers.
        var oldestNumber: UInt64 = 0
        var nextNumber: UInt64 = 0
        var latest: [UInt64: LatestSession] = [:]
        var truth = GroundTruth.SessionTruth()
    }

    private struct LatestSession {
        let number: UInt64
        var aim: PodAim
    }

    static let remembrance = Duration.seconds(600)
    private static let rememberedViewers = 65_536
    private static let searchedNeighbours: UInt64 = 64

    private let state = Mutex(State())
    private let seed: UInt64
    private let validity: Duration

    init(seed: UInt64, validity: Duration) { (self.seed, self.validity) = (seed, validity) }

    /// UUID and location, in Ad Manager's form.
    static func streamID(number: UInt64, seed: UInt64) -> String {
        var hash = SeededHash(seed: seed, "stream", number)
        let high = hash.value & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        hash.combine(high)
        return String(uuid: high, hash.value) + ":TUL"
    }

    /// `isGiven` false: the answer does not reach the viewer, who then does not own the session.
    func register(
        for viewer: UInt64,
        aim: PodAim = .everybody,
        isGiven: Bool = true,
        at now: WallTime
    ) -> (streamID: String, validUntil: WallTime) {
        state.withLock { state in
            forget(&state, before: now)
            let number = state.nextNumber
            state.nextNumber += 1
            if state.latest.count >= Self.rememberedViewers { state.latest.removeAll() }
            state.latest[viewer] = LatestSession(number: number, aim: aim)
            let streamID = Self.streamID(number: number, seed: seed)
            let milliseconds = (now + validity).microseconds / 1_000
            let validUntil = WallTime(microseconds: milliseconds * 1_000)
            var record = StreamSessionRecord(number: number, aim: aim, validUntil: validUntil)
            if isGiven { record.owner = viewer }
            state.sessions[streamID] = record
            state.truth.registered += 1
            return (streamID, validUntil)
        }
    }

    private func forget(_ state: inout State, before now: WallTime) {
        while state.oldestNumber < state.nextNumber {
            let streamID = Self.streamID(number: state.oldestNumber, seed: seed)
            if let session = state.sessions[streamID], session.validUntil + Self.remembrance >= now { return }
            state.sessions[streamID] = nil
            state.oldestNumber += 1
        }
    }

    func noteRequest(_ streamID: String, at now: WallTime) -> Standing {
        state.withLock { state in
            guard let session = state.sessions[streamID] else { return .unknown }
            state.sessions[streamID]?.requests += 1
            state.truth.maximumRequests = max(state.truth.maximumRequests, session.requests + 1)
            return now < session.validUntil ? .active : .expired
        }
    }

    /// Counts this request; returns the number of earlier ones.
    func noteManifest(_ streamID: String, identifier: String) -> Int {
        state.withLock { state in
            guard var session = state.sessions.removeValue(forKey: streamID) else { return 0 }
            session.podManifests += 1
            let before = session.repetitions[identifier, default: 0]
            if before == 0, session.repetitions.count >= StreamSessionRecord.maximumRepetitions {
                session.repetitions.removeAll(keepingCapacity: true)
            }
            session.repetitions[identifier] = before + 1
            state.truth.maximumPodManifests = max(state.truth.maximumPodManifests, session.podManifests)
            state.truth.maximumPodIdentifiers = max(state.truth.maximumPodIdentifiers, session.repetitions.count)
            state.sessions[streamID] = session
            return before
        }
    }

    func list(_ pod: AskedPod, for streamID: String) {
        state.withLock { state in
            guard var session = state.sessions.removeValue(forKey: streamID) else { return }
            if !session.asked.contains(where: { $0.decision == pod.decision }) {
                session.asked.append(pod)
                if session.asked.count > StreamSessionRecord.maximumAsked { session.asked.removeFirst() }
            }
            state.sessions[streamID] = session
        }
    }

    /// Oldest first; for a pod with several decisions, the first.
    func listed(_ streamID: String) -> [AskedPod] {
        let asked = state.withLock { $0.sessions[streamID]?.asked ?? [] }
        var identifiers: Set<String> = []
        return asked.filter { identifiers.insert($0.decision.identifier).inserted }
    }

    /// False for an unknown or repeated media id.
    func verify(_ tag: MediaTag, for streamID: String) -> Bool {
        state.withLock { state in
            guard var session = state.sessions.removeValue(forKey: streamID) else { return false }
            defer { state.sessions[streamID] = session }
            let place = session.asked.lastIndex { $0.decision.mediaNumber == tag.decision }
            return place.map { session.asked[$0].fire(tag) } ?? false
        }
    }

    func noteBarePrefix() { state.withLock { $0.truth.barePrefixes += 1 } }

    func isVerified(_ tag: MediaTag, for streamID: String) -> Bool {
        let asked = state.withLock { $0.sessions[streamID]?.asked ?? [] }
        return asked.last { $0.decision.mediaNumber == tag.decision }?.isFired(tag) ?? false
    }

    func aim(_ aim: PodAim, session streamID: String) {
        state.withLock { state in
            guard let session = state.sessions[streamID] else { return }
            state.sessions[streamID]?.aim = aim
            guard let owner = session.owner, state.latest[owner]?.number == session.number else { return }
            state.latest[owner]?.aim = aim
        }
    }

    func aim(of streamID: String) -> PodAim { state.withLock { $0.sessions[streamID]?.aim ?? .everybody } }

    /// For requests without a session.
    func aim(ofViewer viewer: UInt64) -> PodAim {
        state.withLock { state in
            guard let latest = state.latest[viewer], latest.number >= state.oldestNumber else { return .everybody }
            return latest.aim
        }
    }

    /// Nil without a session, or for an old one.
    func streamID(ofViewer viewer: UInt64) -> String? {
        let number = state.withLock { state in
            state.latest[viewer].flatMap { $0.number >= state.oldestNumber ? $0.number : nil }
        }
        return number.map { Self.streamID(number: $0, seed: seed) }
    }

    /// To the millisecond.
    func start(of streamID: String) -> WallTime? {
        state.withLock { $0.sessions[streamID] }.map { $0.validUntil - validity }
    }

    /// The one before the viewer's own, else the first after it.
    func neighbour(ofViewer viewer: UInt64) -> String? {
        state.withLock { state in
            guard let own = state.latest[viewer]?.number ?? (state.nextNumber > 0 ? state.nextNumber - 1 : nil) else {
                return nil
            }
            let before = own - min(own, Self.searchedNeighbours)..<own
            let after = own..<min(state.nextNumber, own + Self.searchedNeighbours)
            return [Array(before.reversed()), Array(after)].joined().lazy.map {
                Self.streamID(number: $0, seed: self.seed)
            }.first {
                state.sessions[$0]?.owner.map { $0 != viewer } ?? false
            }
        }
    }

    func truth(at now: WallTime) -> GroundTruth.SessionTruth {
        state.withLock { state in
            var truth = state.truth
            truth.active = state.sessions.values.count { now < $0.validUntil }
            return truth
        }
    }

    /// 400 without a stream id, 404 if unknown, 410 if expired.
    func refusal(of exchange: Exchange) -> Answer? {
        guard let streamID = exchange.streamID else { return .empty(.badRequest) }
        switch noteRequest(streamID, at: exchange.now) {
        case .active: return nil
        case .expired: return .empty(.gone)
        case .unknown: return .empty(.notFound)
        }
    }
}

struct AskedPod: Sendable {
    let decision: PodDecision
    let podMicroseconds: Int64
    /// In microseconds.
    let ads: [Int64]
    /// One bit per ad and event.
    private var fired: [UInt64]

    init(decision: PodDecision, podMicroseconds: Int64, ads: [Int64]) {
        (self.decision, self.podMicroseconds, self.ads) = (decision, podMicroseconds, ads)
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
    /// Nil if no viewer received the session.
    var owner: UInt64?
    var requests = 0
    var podManifests = 0
    /// Keys are identifiers.
    var repetitions: [String: Int] = [:]
    /// Oldest first; dropped pods cannot be verified.
    var asked: [AskedPod] = []

    static let maximumAsked = 6
    /// All are dropped beyond it.
    static let maximumRepetitions = 64
}
