import AdServing
import Results
import Rules
import Testing
import Values

@testable import Swarm
@testable import Transport
@testable import Viewer

/// Keeps requests of a crowd open until a test answers them.
final class ScriptedTransport: ViewerTransport {
    struct Request {
        let transfer: TransferRequest
        let role: ViewerRole
        let sentAt: Instant
        let token: CrowdToken

        var url: String { transfer.request.url }
        var plannedAt: Instant { transfer.plannedAt }
        /// Index of the viewer in its crowd.
        var viewer: Int { token.index }
        /// Rendition or asset, as the request's token says.
        var index: UInt8 { token.request }
        /// Serial of the break that it belongs to; 0 for none.
        var serial: UInt16 { token.breakSerial }
    }

    struct Reply {
        var body = ""
        var status = 200
        var failure: TransportFailure?
        var headers: [String: String] = [:]
        var redirects = 0
        var leftHost = false
        var flaws: AnswerFlaws = []
        /// Time that the answer lay in its socket.
        var handling: Duration = .zero
    }

    weak var handler: (any TransferHandler)?
    private(set) var open: [Request] = []
    /// All requests, in order.
    private(set) var sent: [Request] = []
    /// Requests for which a connection was opened ahead.
    private(set) var warmed: [(request: PreparedRequest, at: Instant)] = []
    var remoteAddress = "192.0.2.1:80"
    private let clock: VirtualClock
    private var owners: UInt32 = 0

    init(_ clock: VirtualClock) { self.clock = clock }

    var inFlight: Int { open.count }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner {
        owners += 1
        return ConnectionOwner(scope: owners)
    }

    func start(_ request: TransferRequest) {
        let token = CrowdToken(rawValue: request.token)
        guard let role = ViewerRole(rawValue: token.detail) else { return }
        let started = Request(transfer: request, role: role, sentAt: clock.now, token: token)
        open.append(started)
        sent.append(started)
    }

    func start(_ request: TransferRequest, after history: TransferHistory) { start(request) }

    func warm(_ request: PreparedRequest, owner: ConnectionOwner) { warmed.append((request, clock.now)) }

    /// Ends the requests of an owner once the clock goes on, as a transport does after its caller is done.
    func close(_ owner: ConnectionOwner) {
        owner.isClosed = true
        clock.wake(self, at: clock.now, token: UInt64(owner.scope))
    }

    func shutDown(_ done: @escaping () -> Void) { done() }

    func requests(_ role: ViewerRole, of viewer: Int = 0) -> [PreparedRequest] {
        sent.filter { $0.role == role && $0.viewer == viewer }.map(\.transfer.request)
    }

    /// Headers of an answer that permits pages of every origin, unless the reply says otherwise; an empty value leaves one out.
    private static func headers(_ reply: Reply, to request: PreparedRequest) -> [String: String] {
        let origin = request.headers?.origin ?? "*"
        let permission = ["access-control-allow-origin": origin, "access-control-allow-credentials": "true"]
        let headers = permission.merging(reply.headers) { $1 }
        return headers.filter { !$0.value.isEmpty || permission[$0.key] == nil }
    }

    func finish(at place: Int, _ reply: Reply) {
        let request = open.remove(at: place)
        let isSeen = reply.failure == nil || (300..<400).contains(reply.status)
        let status = isSeen ? reply.status : 0
        Array(reply.body.utf8).withUnsafeBytes { bytes in
            let result = TransferResult(
                failure: reply.failure,
                status: status,
                body: request.transfer.keepBody ? bytes : UnsafeRawBufferPointer(start: nil, count: 0),
                bodyBytes: bytes.count,
                plannedAt: request.plannedAt,
                sentAt: request.sentAt,
                firstByteAt: status > 0 ? clock.now : .zero,
                receivedAt: reply.handling == .zero ? .zero : clock.now.earlier(by: reply.handling.nanosecondsHeld),
                doneAt: clock.now,
                redirects: reply.redirects,
                leftHost: reply.leftHost,
                flaws: reply.flaws,
                headers: Self.headers(reply, to: request.transfer.request),
                url: request.url,
                remoteAddress: remoteAddress,
                request: request.transfer.request
            )
            if reply.failure == nil, let redirect = RedirectStatus(status), let url = reply.headers["location"] {
                follow(redirect, to: url, of: request, after: result)
            } else {
                handler?.transferFinished(token: request.transfer.token, result)
            }
        }
    }

    /// As `TransferCarrier` does.
    private func follow(_ redirect: RedirectStatus, to url: String, of request: Request, after result: TransferResult) {
        do {
            let token = request.transfer.token
            let viewer: RedirectedViewer = try handler?.redirected(to: url, token: token, after: result) ?? (nil, false)
            var next = request.transfer
            next.request = next.request.redirected(
                to: url,
                keepsMethod: redirect.keepsMethod,
                cookies: viewer.cookies,
                isOfPage: viewer.isPage
            )
            if handler?.holds(next, after: result.history) != true { start(next) }
        } catch {
            Issue.record("a redirect that is not followed: \(error)")
        }
    }
}

extension ScriptedTransport: TimerHandler {
    func timerFired(token: UInt64, deadline: Instant) {
        while let place = open.firstIndex(where: { UInt64($0.transfer.owner.scope) == token }) {
            finish(at: place, Reply(failure: .abandoned))
        }
    }
}

/// Notes of each viewer of a crowd, by its number.
///
/// `@unchecked Sendable`: a scripted crowd has one task.
final class ViewerJournal: ViewerObserver, @unchecked Sendable {
    struct Scheduled {
        var scheduled: ScheduledBreak
        var identifier: PodIdentifier
        /// URL of the pod, once it was made out.
        var url: String?
    }

    struct Entries {
        fileprivate(set) var own: [ViewerNote] = []
        fileprivate(set) var ofChannel: [(String, ViewerNote)] = []
        fileprivate(set) var scheduled: [Scheduled] = []
        fileprivate(set) var isGone = false
        fileprivate(set) var reopensAt: Instant?
    }

    private(set) var entries: [Int: Entries] = [:]

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        for action in actions {
            switch action {
            case .breakScheduled(let planned):
                entries[number, default: .init()].scheduled.append(
                    Scheduled(scheduled: planned.scheduled, identifier: planned.identifier)
                )
            case .preparePod(let url):
                guard let last = entries[number]?.scheduled.indices.last else { continue }
                entries[number]?.scheduled[last].url = url
            case .note(let note, let planned): keep(note, of: planned, number)
            case .abandon(let instant): entries[number, default: .init()].reopensAt = instant
            case .gone: entries[number, default: .init()].isGone = true
            case .fetch, .poll, .schedule, .cancel, .warm, .defect: break
            }
        }
    }

    private func keep(_ note: ViewerNote, of planned: PlannedBreak?, _ number: Int) {
        switch note {
        case .adEvent: entries[number, default: .init()].own.append(note)
        default:
            let isDiscovery = if case .breakDiscovered = note { true } else { false }
            if let planned, isDiscovery || !planned.isOwn {
                entries[number, default: .init()].ofChannel.append((planned.scheduled.key, note))
            } else {
                entries[number, default: .init()].own.append(note)
            }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence) {}

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}
}

extension ViewerNote {
    static func breakOnTime(afterStart: Int64) -> ViewerNote { .breakOnTime(afterStart: afterStart, inHandAt: .zero) }

    static func breakLate(by lateness: Int64) -> ViewerNote { .breakLate(by: lateness, inHandAt: .zero) }

    /// The note of a break's punctuality without the moment.
    var withoutInstant: ViewerNote {
        switch self {
        case .breakOnTime(let afterStart, _): .breakOnTime(afterStart: afterStart)
        case .breakLate(let lateness, _, _): .breakLate(by: lateness)
        default: self
        }
    }

    var isOutcome: Bool {
        switch self {
        case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped: true
        default: false
        }
    }
}
