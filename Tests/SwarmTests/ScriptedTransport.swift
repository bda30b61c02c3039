import AdServing
import Destinations
import EventLoop
import Foundation
import HLS
import LoadProfile
import Rulebook
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Keeps what a crowd sends, for a test to answer.
final class ScriptedTransport: ViewerTransport {
    weak var crowd: Crowd?
    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
    private(set) var open: [TransferRequest] = []
    /// All that was ever sent, in order.
    private(set) var sent: [TransferRequest] = []
    /// The requests that a connection was to be opened for.
    private(set) var warmed: [PreparedRequest] = []
    /// Where all answers come from.
    var remoteAddress = "192.0.2.1:80"
    /// Owners are a transport's own; this one carries nothing.
    private let real: HTTPTransport

    init(loop: EventLoop) throws {
        real = try HTTPTransport(loop: loop, configuration: TransportConfiguration(), expectedOwners: 4)
    }

    var inFlight: Int { open.count }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner {
        real.makeOwner(sourceAddressIndex: sourceAddressIndex)
    }

    func start(_ request: TransferRequest) {
        open.append(request)
        sent.append(request)
    }

    func warm(_ request: PreparedRequest, owner: ConnectionOwner) { warmed.append(request) }

    func close(_ owner: ConnectionOwner) { real.close(owner) }

    func shutDown(_ done: @escaping () -> Void) { real.shutDown(done) }

    func role(_ request: TransferRequest) -> ViewerRole? {
        ViewerRole(rawValue: CrowdToken(rawValue: request.token).detail)
    }

    /// The request instances that were ever sent for a role by the viewer at an index.
    func requests(_ role: ViewerRole, index: Int = 0) -> [PreparedRequest] {
        sent.filter { self.role($0) == role && CrowdToken(rawValue: $0.token).index == index }.map(\.request)
    }

    /// Answers the oldest open request of a role, `later` nanoseconds after it was planned; false where none is open.
    @discardableResult
    func answer(
        _ role: ViewerRole,
        status: Int = 200,
        headers: [String: String] = [:],
        failure: TransportFailure? = nil,
        later: Int64 = 0,
        body: String = "",
        redirects: Int = 0,
        leftHost: Bool = false,
        flaws: AnswerFlaws = [],
        after time: Duration = .zero
    ) -> Bool {
        guard let index = open.firstIndex(where: { self.role($0) == role }) else { return false }
        let request = open.remove(at: index)
        let at = request.plannedAt.later(by: later)
        Array(body.utf8).withUnsafeBytes { bytes in
            handler?.transferFinished(
                token: request.token,
                TransferResult(
                    failure: failure,
                    status: failure == nil ? status : 0,
                    body: bytes,
                    plannedAt: request.plannedAt,
                    sentAt: at,
                    firstByteAt: at,
                    doneAt: at.later(by: time),
                    redirects: redirects,
                    leftHost: leftHost,
                    flaws: flaws,
                    headers: headers,
                    effectiveURL: request.request.url,
                    remoteAddress: remoteAddress,
                    trace: request.request.trace
                )
            )
        }
        return true
    }

    /// Answers all that is open with success, and what that leads to.
    func answerAll(_ body: (ViewerRole, Int) -> String) {
        while !open.isEmpty {
            let request = open.removeFirst()
            guard let role = self.role(request) else { continue }
            let text = Array(body(role, CrowdToken(rawValue: request.token).index).utf8)
            text.withUnsafeBytes { bytes in
                handler?.transferFinished(
                    token: request.token,
                    TransferResult(
                        failure: nil,
                        status: 200,
                        body: bytes,
                        plannedAt: request.plannedAt,
                        sentAt: request.plannedAt,
                        firstByteAt: request.plannedAt,
                        doneAt: request.plannedAt,
                        effectiveURL: request.request.url
                    )
                )
            }
        }
    }
}

/// A crowd on its loop, its transport, and the clock in a test's hands.
struct ScriptedCrowd {
    let crowd: Crowd
    let transport: ScriptedTransport
    let start: Instant
    var version = 1

    /// Call on the loop.
    init(_ plan: LoadPlan, viewers: Int = 2, identifiesViewers: Bool = false, loop: EventLoop) throws {
        // Nothing may fire by itself: the run begins in an hour.
        start = MonotonicClock.now().later(by: .seconds(3_600))
        let timebase = Timebase(start: start, wallStart: ScriptedViewer.wallStart)
        let endpoints = TargetEndpoints(
            contentURL: "http://127.0.0.1:8080/live/main/multivariant.m3u8",
            adServers: ["http://127.0.0.1:8080"],
            session: plan.session,
            identifiesViewers: identifiesViewers,
            adapter: TargetAdapter(plan.target) ?? .podServing
        )
        transport = try ScriptedTransport(loop: loop)
        crowd = Crowd(
            CrowdSetup(
                loadPlan: plan,
                viewerPlan: ViewerPlan(plan, endpoints: endpoints, timebase: timebase),
                endpoints: endpoints,
                authorisedHosts: AuthorisedHosts(),
                joins: (0..<viewers).map { CrowdSetup.Join(number: $0, at: timebase.start) },
                firstReplacement: viewers,
                replacementStride: 1,
                observer: nil
            ),
            clock: loop,
            transport: transport
        )
    }

    /// All viewers join and see their first playlist.
    func join() {
        for index in crowd.viewers.indices {
            let token = CrowdToken(index: index, detail: CrowdToken.join)
            crowd.timerFired(token: token.rawValue, deadline: start)
        }
        answer()
    }

    func answer() {
        transport.answerAll { body($0, index: $1) }
    }

    /// Fires a viewer's timer at its deadline; false where it is not set.
    @discardableResult
    func fire(_ timer: ViewerTimer, index: Int = 0) -> Bool {
        let deadline = crowd.viewers[index].deadlines[Int(timer.rawValue)]
        guard deadline != .zero else { return false }
        crowd.timerFired(token: CrowdToken(index: index, detail: timer.rawValue).rawValue, deadline: deadline)
        return true
    }

    /// Lets the first viewer leave some time after the start.
    func leave(after time: Duration) {
        let deadline = start.later(by: time / .nanoseconds(1) > 0 ? Int64(time / .nanoseconds(1)) : 0)
        crowd.deliver(.leave, to: crowd.viewers[0], index: 0, now: deadline)
    }

    private func body(_ role: ViewerRole, index: Int) -> String {
        switch role {
        case .registration:
            let id = "00000000-0000-4000-8000-00000000000\(index):TUL"
            return """
                {"stream_id":"\(id)","polling_frequency":10,"metadata_url":"http://127.0.0.1:8080/metadata/\(index)",
                "media_verification_url":"http://127.0.0.1:8080/verify/\(index)/",
                "manifestUrl":"/live/main/multivariant.m3u8?aws.sessionId=\(index)"}
                """
        case .multivariant: return "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8\n"
        case .playlist:
            return "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(version)\n#EXTINF:2,\n\(version).m4s\n"
        case .podManifest, .podRepeat:
            return "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.m4s\n#EXT-X-ENDLIST\n"
        case .metadata: return "{}"
        case .segment, .podPlaylist, .podRepeatPlaylist, .podSegment, .verification: return ""
        case .assetList, .assetManifest, .beacon, .blockingPlaylist, .part, .steering, .sessionUpdate: return ""
        }
    }

    /// Runs a test on a loop of its own.
    @discardableResult
    static func onLoop<Value: Sendable>(_ test: @escaping @Sendable (EventLoop) throws -> Value) async throws -> Value {
        let loop = try EventLoop(label: "scripted", index: 0)
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            loop.execute {
                continuation.resume(returning: Result { try test(loop) })
            }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.shutDown { continuation.resume() }
        }
        return try outcome.get()
    }
}
