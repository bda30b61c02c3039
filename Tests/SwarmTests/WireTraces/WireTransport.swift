import AdServing
import EventLoop
import Rulebook
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Transport
@testable import Viewer

/// Answers what a crowd sends from a channel's script, on a fake clock; deadlines of a request count as they do on a wire.
final class WireTransport: ViewerTransport {
    /// One request as it left.
    struct Sent {
        var at: Instant
        var request: PreparedRequest
        var role: ViewerRole
        /// What came instead of a success; empty for a success, and while nothing has come.
        var ending = ""
    }

    private struct Pending {
        var at: Instant
        var index: Int
        var transfer: TransferRequest
        var answer: WireChannel.Answer
        var failure: TransportFailure?
    }

    weak var crowd: Crowd?
    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
    private(set) var sent: [Sent] = []
    private var pending: [Pending] = []
    private let channel: WireChannel
    private let origin: Instant
    /// Of the fake clock.
    var now: Instant
    /// Owners are a transport's own; this one carries nothing.
    private let real: HTTPTransport

    /// Longer than any persona waits: without a deadline of its own a request ends with its answer.
    private static let unlimited: Int64 = 600_000_000_000

    init(loop: EventLoop, channel: WireChannel, origin: Instant) throws {
        real = try HTTPTransport(loop: loop, configuration: TransportConfiguration(), expectedOwners: 4)
        self.channel = channel
        self.origin = origin
        now = origin
    }

    var inFlight: Int { pending.count }

    /// When the next answer, or the end of somebody's patience, is there.
    var nextAt: Instant? { pending.map(\.at).min() }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner {
        real.makeOwner(sourceAddressIndex: sourceAddressIndex)
    }

    func start(_ request: TransferRequest) {
        guard let role = ViewerRole(rawValue: CrowdToken(rawValue: request.token).detail) else { return }
        let at = max(now, request.plannedAt)
        let path = WireTrace.path(of: request.request.url).path
        let answer = channel.answer(to: path, at: at.nanoseconds(since: origin) / 1_000_000)
        let takes = answer.milliseconds * 1_000_000
        let firstByte = request.limits.firstByteTimeout(otherwise: Self.unlimited)
        let total = request.limits.totalTimeout(otherwise: Self.unlimited)
        let failure: TransportFailure? =
            takes <= min(firstByte, total) ? nil : firstByte <= total ? .firstByteTimeout : .totalTimeout
        pending.append(
            Pending(
                at: at.later(by: min(takes, firstByte, total)),
                index: sent.count,
                transfer: request,
                answer: answer,
                failure: failure
            )
        )
        sent.append(Sent(at: at, request: request.request, role: role))
    }

    /// Hands over the oldest of what is due first.
    func finishNext() {
        guard let next = pending.min(by: { ($0.at, $0.index) < ($1.at, $1.index) }) else { return }
        pending.removeAll { $0.index == next.index }
        let sentAt = sent[next.index].at
        if next.failure != nil {
            sent[next.index].ending = "no answer in \(next.at.nanoseconds(since: sentAt) / 1_000_000) ms"
        } else if next.answer.status != 200 {
            sent[next.index].ending = String(next.answer.status)
        }
        let body = next.failure == nil && next.transfer.keepBody ? Array(next.answer.body.utf8) : []
        body.withUnsafeBytes { bytes in
            handler?.transferFinished(
                token: next.transfer.token,
                TransferResult(
                    failure: next.failure,
                    status: next.failure == nil ? next.answer.status : 0,
                    body: bytes,
                    plannedAt: next.transfer.plannedAt,
                    sentAt: sentAt,
                    firstByteAt: next.failure == nil ? next.at : .zero,
                    doneAt: next.at,
                    effectiveURL: next.transfer.request.url
                )
            )
        }
    }

    func warm(_ request: PreparedRequest, owner: ConnectionOwner) {}

    func close(_ owner: ConnectionOwner) { real.close(owner) }

    func shutDown(_ done: @escaping () -> Void) { real.shutDown(done) }
}
