package import Origin
import Profile
import Rules
package import Transport
package import Values
package import Viewer

/// Carries requests to a target in this process; confined to the clock's run.
final class VirtualTransport: ViewerTransport {
    private struct Open {
        let request: TransferRequest
        let answer: VirtualAnswer
        let sentAt: Instant
        let connection: VirtualConnection
        let isNewConnection: Bool
        /// The client's own failure.
        var failure: TransportFailure?
    }

    weak var handler: (any TransferHandler)?
    private let clock: VirtualClock
    private let target: any VirtualTarget
    private let timebase: Timebase
    private let configuration: TransportConfiguration
    private var network: VirtualNetwork
    private let inflaters = InflaterPool()
    private var decoded: [UInt8] = []
    private var open: [UInt64: Open] = [:]
    private var started: UInt64 = 0
    private var owners: UInt32 = 0
    private var connections: [UInt32: VirtualConnection] = [:]

    init(_ setup: CrowdSetup, _ clock: VirtualClock, _ target: any VirtualTarget, _ network: VirtualNetwork) {
        (self.target, self.clock, timebase, self.network) = (target, clock, setup.viewerPlan.timebase, network)
        configuration = TransportConfiguration(setup.loadPlan.connection, permitting: setup.authorisedHosts)
    }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner {
        owners += 1
        return ConnectionOwner(scope: owners)
    }

    func start(_ request: TransferRequest) {
        let token = CrowdToken(rawValue: request.token)
        guard let role = ViewerRole(rawValue: token.detail), let crowd = handler as? Crowd else { return }
        let now = clock.now
        let known = connections[request.owner.scope]
        let connection = known ?? VirtualConnection()
        connections[request.owner.scope] = connection
        let timeout = timeout(of: request, from: now)
        let asked = VirtualRequest(
            role: role,
            request: request.request,
            viewer: crowd.viewers[token.index].machine.number,
            seat: token.index,
            connection: connection,
            timeout: timeout.at.nanoseconds(since: now)
        )
        var answer = target.answer(asked, at: timebase.wall(at: now))
        let (fate, way) = network.next(role, at: now)
        // Never in the instant of the request.
        var arrives = max(now &+ 1_000, max(now, timebase.instant(of: answer.releasedAt)).later(by: way))
        switch fate {
        case .arrives: break
        case .lost: arrives = .distantFuture
        case .reset, .refused:
            answer = VirtualAnswer(url: answer.url, releasedAt: answer.releasedAt)
            if fate == .reset { answer.failure = .reset } else { answer.status = 503 }
        }
        started += 1
        open[started] = Open(
            request: request,
            answer: answer,
            sentAt: now,
            connection: connection,
            isNewConnection: known == nil,
            failure: arrives > timeout.at ? timeout.failure : nil
        )
        clock.wake(self, at: min(arrives, timeout.at), token: started)
    }

    private func timeout(of request: TransferRequest, from now: Instant) -> (failure: TransportFailure, at: Instant) {
        let firstByte = request.limits.firstByte.nanoseconds(otherwise: configuration.firstByteTimeout.nanosecondsHeld)
        let total = request.limits.total.nanoseconds(otherwise: configuration.totalTimeout.nanosecondsHeld)
        let (awaited, whole) = (now.later(by: firstByte), now.later(by: total))
        return awaited <= whole ? (.firstByteTimeout, awaited) : (.totalTimeout, whole)
    }

    /// Its target follows redirects.
    func start(_ request: TransferRequest, after history: TransferHistory) { start(request) }

    func warm(_ request: PreparedRequest, owner: ConnectionOwner) {}

    func close(_ owner: ConnectionOwner) {
        closeConnection(of: owner)
        // In their order, so that equal runs are equal.
        for number in open.filter({ $0.value.request.owner === owner }).keys.sorted() {
            open[number]?.failure = .abandoned
            clock.wake(self, at: clock.now, token: number)
        }
    }

    func shutDown(_ done: @escaping () -> Void) {
        handler = nil
        done()
    }

    private func closeConnection(of owner: ConnectionOwner) {
        if let connection = connections.removeValue(forKey: owner.scope) { target.closed(connection) }
    }
}

extension VirtualTransport: TimerHandler {
    func timerFired(token: UInt64, deadline: Instant) {
        guard let ended = open.removeValue(forKey: token) else { return }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        if let failure = ended.failure ?? ended.answer.failure {
            // HTTP/1.1 has no other way to end an answer (RFC 9112 section 9.6).
            if failure != .unauthorisedHost, failure != .redirectLimit { closeConnection(of: ended.request.owner) }
            return tell(ended, failure, nothing, bytes: failure == .truncated ? ended.answer.bodyBytes : 0)
        }
        let most = ended.request.limits.bodyBytes(atMost: configuration.maximumBodyBytes)
        ended.answer.readBody { coded in
            let isCoded = ended.answer.headers["content-encoding"] == "gzip"
            let failure = isCoded ? decode(coded, limit: most) : coded.count > most ? .bodyTooLarge : nil
            let bytes = coded.count
            guard failure == nil, ended.request.keepBody else {
                return tell(ended, failure, nothing, bytes: bytes, isUndecodable: isCoded && failure != .bodyTooLarge)
            }
            guard isCoded else { return tell(ended, nil, coded, bytes: bytes) }
            decoded.withUnsafeBytes { tell(ended, nil, $0, bytes: bytes) }
        }
    }

    private func decode(_ coded: UnsafeRawBufferPointer, limit: Int) -> TransportFailure? {
        decoded.removeAll(keepingCapacity: true)
        guard let decoder = ContentDecoder([.gzip], limit: limit, pool: inflaters) else { return .localResources }
        defer { inflaters.giveBack(decoder) }
        let failure = decoder.decode(coded) { bytes in
            guard bytes.count <= limit - decoded.count else { return .bodyTooLarge }
            decoded += bytes
            return nil
        }
        return failure ?? (decoder.isWhole ? nil : .truncated)
    }

    private func tell(
        _ ended: Open,
        _ failure: TransportFailure?,
        _ body: UnsafeRawBufferPointer,
        bytes: Int,
        isUndecodable: Bool = false
    ) {
        let answer = ended.answer
        // The client gave up this answer.
        let isSeen = ended.failure == nil && answer.status > 0
        handler?.transferFinished(
            token: ended.request.token,
            TransferResult(
                failure: failure,
                status: isSeen ? answer.status : 0,
                body: body,
                bodyBytes: bytes,
                plannedAt: ended.request.plannedAt,
                sentAt: failure == .unauthorisedHost && !isSeen ? .zero : ended.sentAt,
                firstByteAt: isSeen ? clock.now : .zero,
                receivedAt: isSeen ? clock.now : .zero,
                doneAt: clock.now,
                newConnections: ended.isNewConnection ? 1 : 0,
                redirects: answer.redirects,
                leftHost: answer.leftHost,
                carrier: .exchange,
                flaws: failure != nil && isUndecodable ? answer.flaws.union(.codingInvalid) : answer.flaws,
                headers: isSeen ? answer.headers : [:],
                url: answer.url,
                remoteAddress: answer.address,
                connection: ended.connection,
                request: ended.request.request
            )
        )
    }
}

/// Delays, loses and breaks answers at random from a seed.
package struct VirtualNetwork: Sendable, Equatable {
    enum Fate {
        case arrives
        case lost
        case reset
        case refused
    }

    /// Least delay of an answer.
    package var latency: Duration
    /// Upper bound of a uniform random delay on top of `latency`.
    package var jitter = Duration.zero
    package var stall = Duration.seconds(1)
    /// Shares of the answers, from 0 to 1; refused ones have status 503.
    package var stalled = 0.0
    package var lost = 0.0
    package var reset = 0.0
    package var refused = 0.0
    /// Pod manifests are made one after the other; nil: any number at once.
    package var podsPerSecond: Double?
    private var isBusyUntil: Instant?
    private var numbers: SplitMix64

    /// Equal seeds draw the same for equal sequences of requests.
    package init(latency: Duration, seed: UInt64 = 0) {
        self.latency = latency
        numbers = SplitMix64(seed: seed)
    }

    mutating func next(_ role: ViewerRole, at now: Instant) -> (Fate, nanoseconds: Int64) {
        var way = max(latency.nanosecondsHeld, 0)
        if let podsPerSecond, role == .podManifest || role == .podRepeat {
            let made = max(isBusyUntil ?? now, now).later(by: Int64(1e9 / podsPerSecond))
            isBusyUntil = made
            way += made.nanoseconds(since: now)
        }
        if jitter > .zero { way += Int64(numbers.unit() * Double(jitter.nanosecondsHeld)) }
        if stalled > 0, numbers.unit() < stalled { way += stall.nanosecondsHeld }
        guard lost + reset + refused > 0 else { return (.arrives, way) }
        let chance = numbers.unit()
        if chance < lost { return (.lost, way) }
        if chance < lost + reset { return (.reset, way) }
        return (chance < lost + reset + refused ? .refused : .arrives, way)
    }
}

/// Answers at the virtual instant of the request.
package protocol VirtualTarget: AnyObject {
    /// In the order of time.
    func answer(_ request: VirtualRequest, at now: WallTime) -> VirtualAnswer

    func closed(_ connection: VirtualConnection)
}

package struct VirtualRequest {
    package let role: ViewerRole
    package let request: PreparedRequest
    package let viewer: Int
    /// Seats are used again.
    package let seat: Int
    package let connection: VirtualConnection
    /// Nanoseconds.
    package let timeout: Int64
}
