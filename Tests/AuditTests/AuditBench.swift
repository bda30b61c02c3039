import AdServing
import Audience
import HLS
import LoadProfile
import Recording
import Rulebook
import RunResult
import Time
import Viewer

@testable import Audit

/// An auditor with one viewer before it, that has joined and asks for its channel; nothing waits, and nothing is sent.
final class AuditBench {
    private static let profile = """
        name: bench
        description: One viewer of a target that is there.
        duration: 60s
        seed: 1
        target:
          podServing:
            contentURL: http://127.0.0.1:8080/live/multivariant.m3u8
            adServer: http://127.0.0.1:8080
            authorisedHosts: ["127.0.0.1"]
            networkCode: "1"
            customAssetKey: key
        audience: {viewers: 1, ramp: 0s}
        breaks:
          source: {every: 20s}
          podDuration: 10s
        """

    /// The beginning of everything.
    static let start = Instant(nanoseconds: 1_000_000_000_000)

    let recorder = LoopRecorder()
    let auditor: Auditor
    let record = ViewerRecord()
    var machine: ViewerMachine
    private var actions: [ViewerAction] = []

    init() throws {
        let plan = try ProfileReader().read(yaml: Self.profile, path: "bench.yaml")
        guard case .podServing(let target) = plan.target else { throw NoTarget() }
        let endpoints = TargetEndpoints(
            contentURL: target.contentURL,
            adServers: [target.adServer],
            session: target.session,
            identifiesViewers: false
        )
        let wallStart = WallTime(microseconds: 1_800_000_000_000_000)
        let timebase = Timebase(start: Self.start, wallStart: wallStart)
        let viewerPlan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        auditor = Auditor(AuditContext(viewerPlan, loadPlan: plan, sink: recorder))
        machine = ViewerMachine(number: 3, plan: viewerPlan)
        machine.handle(.join, now: Self.start, actions: &actions)
    }

    struct NoTarget: Error {}

    /// Has an answer examined, and tells the viewer of it; says what the viewer was told.
    @discardableResult
    func answer(
        _ role: ViewerRole,
        _ text: String = "",
        status: Int = 200,
        failure: AnswerFailure? = nil,
        headers: [String: String] = [:],
        redirects: Int = 0,
        leftHost: Bool = false,
        at seconds: Int64 = 0
    ) -> ViewerEvent {
        let now = Self.start.later(by: .seconds(seconds))
        let event = Array(text.utf8).withUnsafeBytes { body in
            auditor.examine(
                Answer(
                    role,
                    index: machine.requestIndex(of: .video),
                    failure: failure,
                    status: failure == nil ? status : 0,
                    body: body,
                    url: "http://127.0.0.1:8080/live/a.m3u8",
                    redirects: redirects,
                    leftHost: leftHost,
                    plannedAt: now,
                    sentAt: now,
                    firstByteAt: now,
                    doneAt: now,
                    headers: GivenHeaders(headers)
                ),
                facts: machine.facts,
                record
            )
        }
        machine.handle(event, now: now, actions: &actions)
        return event
    }

    /// The codes of what was found so far, sorted.
    var codes: [String] { RunTotals(merging: [recorder.finish()]).findings.map(\.code.code).sorted() }
}

/// Headers that a test gives an answer.
final class GivenHeaders: AnswerHeaders {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        guard var value = values["\(name)"] else {
            take(nil)
            return
        }
        value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
    }

    var retryAfterSeconds: Int? { values["retry-after"].flatMap { Int($0) } }
    var ageSeconds: Int? { values["age"].flatMap { Int($0) } }
}
