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

/// An auditor with viewers before it that have joined and ask for their channel; nothing waits, and nothing is sent.
final class AuditBench {
    private static let profile = """
        name: bench
        description: Some viewers of a target that is there.
        duration: 60s
        seed: 1
        target:
          podServing:
            contentURL: http://127.0.0.1:8080/live/multivariant.m3u8
            adServer: http://127.0.0.1:8080
            authorisedHosts: ["127.0.0.1"]
            networkCode: "1"
            customAssetKey: key
        breaks:
          source: {every: 20s}
          podDuration: 10s
        """

    /// The beginning of everything.
    static let start = Instant(nanoseconds: 1_000_000_000_000)

    /// Those of a playlist as it should come.
    static let playlistHeaders = ["content-type": "application/vnd.apple.mpegurl", "content-encoding": "gzip"]

    /// A version of the channel's only playlist.
    static func playlist(_ sequence: Int) -> String {
        """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:2
        #EXT-X-MEDIA-SEQUENCE:\(sequence)
        #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:\(10 + 2 * sequence)Z
        #EXTINF:2,
        \(sequence).ts
        #EXTINF:2,
        \(sequence + 1).ts
        #EXTINF:2,
        \(sequence + 2).ts

        """
    }

    /// One viewer, what the audit remembers of it, and what it waits for.
    private struct Seat {
        let record = ViewerRecord()
        var machine: ViewerMachine
        var now = AuditBench.start
        var timers: [ViewerTimer: Instant] = [:]
        /// Serial of the break whose pod it asked for last; 0 for none.
        var breakSerial: UInt16 = 0
        var podURL = ""
        var hasEndedBreak = false
        /// By which its last requests of a break are told apart.
        var breakRequests: [ViewerRole: UInt8] = [:]
    }

    let recorder = LoopRecorder()
    /// What the run was given; of other viewers' sessions what a test puts there.
    let sessions = GivenSessions()
    let auditor: Auditor
    private var seats: [Seat]

    /// A bench with some viewers, whose profile has further sections.
    init(_ more: String = "", audience: String = "", viewers: Int = 1) throws {
        let people = "audience: {viewers: 2, ramp: 0s\(audience.isEmpty ? "" : ", ")\(audience)}"
        let plan = try ProfileReader().read(yaml: "\(Self.profile)\n\(people)\n\(more)", path: "bench.yaml")
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
        auditor = Auditor(AuditContext(viewerPlan, loadPlan: plan, sessions: sessions, sink: recorder))
        seats = (0..<viewers).map { Seat(machine: ViewerMachine(number: 3 + $0, plan: viewerPlan)) }
        for place in seats.indices { tell(.join, to: place) }
    }

    /// Whose pods a viewer's are held against.
    func group(of place: Int) -> Matching.Group? { auditor.context.plan.matching.group(cohort: cohort(of: place)) }

    func cohort(of place: Int) -> String {
        let facts = seats[place].machine.facts
        return auditor.context.plan.matching.cohort(ofViewer: facts.number, persona: facts.personaIndex)
    }

    struct NoTarget: Error {}
    struct NoPodRequest: Error {}

    /// The first viewer, and what the audit remembers of it.
    var machine: ViewerMachine { seats[0].machine }
    var record: ViewerRecord { seats[0].record }

    /// Has an answer examined, and tells the viewer of it; says what the viewer was told.
    @discardableResult
    func answer(
        _ role: ViewerRole,
        _ text: String = "",
        of place: Int = 0,
        breakSerial: UInt16 = 0,
        status: Int = 200,
        failure: AnswerFailure? = nil,
        headers: [String: String] = [:],
        redirects: Int = 0,
        leftHost: Bool = false,
        at seconds: Int64? = nil
    ) -> ViewerEvent {
        if let seconds { seats[place].now = Self.start.later(by: .seconds(seconds)) }
        let seat = seats[place]
        let event = Array(text.utf8).withUnsafeBytes { body in
            auditor.examine(
                Answer(
                    role,
                    index: breakSerial == 0 ? seat.machine.requestIndex(of: .video) : seat.breakRequests[role] ?? 0,
                    breakSerial: breakSerial,
                    failure: failure,
                    status: failure == nil ? status : 0,
                    body: body,
                    url: breakSerial == 0 ? "http://127.0.0.1:8080/live/a.m3u8" : seat.podURL,
                    redirects: redirects,
                    leftHost: leftHost,
                    plannedAt: seat.now,
                    sentAt: seat.now,
                    firstByteAt: seat.now,
                    doneAt: seat.now,
                    headers: GivenHeaders(headers)
                ),
                facts: seat.machine.facts,
                seat.record
            )
        }
        tell(event, to: place)
        return event
    }

    /// Of the break whose pod a viewer asked for last; 0 for none.
    func breakSerial(of place: Int = 0) -> UInt16 { seats[place].breakSerial }

    /// Whether a viewer has asked for something of its break.
    func isAsked(_ role: ViewerRole, of place: Int = 0) -> Bool { seats[place].breakRequests[role] != nil }

    /// Gives a viewer a session and a playlist, and lets its time pass until it asks for the pod of its next break.
    ///
    /// - Returns: The break's serial, for the answer.
    func askForPod(of place: Int = 0) throws -> UInt16 {
        answer(.registration, #"{"stream_id": "00000000-0000-4000-8000-00000000000\#(place):TUL"}"#, of: place)
        answer(.multivariant, Self.playlist(1), of: place, headers: Self.playlistHeaders)
        let end = Self.start.later(by: .seconds(60))
        while seats[place].breakSerial == 0 {
            guard let next = seats[place].timers.min(by: { $0.value < $1.value }), next.value < end else {
                throw NoPodRequest()
            }
            seats[place].timers[next.key] = nil
            seats[place].now = next.value
            tell(.timer(next.key), to: place)
        }
        return seats[place].breakSerial
    }

    /// Lets a viewer's time pass until its break is over.
    func playOut(of place: Int = 0) {
        while !seats[place].hasEndedBreak, let next = seats[place].timers.min(by: { $0.value < $1.value }) {
            seats[place].timers[next.key] = nil
            seats[place].now = max(seats[place].now, next.value)
            tell(.timer(next.key), to: place)
        }
    }

    /// Lets a viewer's timers fire up to so many seconds after the beginning of everything.
    func runTimers(of place: Int = 0, until seconds: Int64) {
        let end = Self.start.later(by: .seconds(seconds))
        while let next = seats[place].timers.min(by: { $0.value < $1.value }), next.value <= end {
            seats[place].timers[next.key] = nil
            seats[place].now = max(seats[place].now, next.value)
            tell(.timer(next.key), to: place)
        }
    }

    /// A viewer leaves so many seconds after the beginning of everything.
    func leave(_ place: Int = 0, at seconds: Int64) {
        seats[place].now = Self.start.later(by: .seconds(seconds))
        tell(.leave, to: place)
    }

    /// Tells a viewer what happened, and the audit what it does about it.
    private func tell(_ event: ViewerEvent, to place: Int) {
        var actions: [ViewerAction] = []
        let now = seats[place].now
        seats[place].machine.handle(event, now: now, actions: &actions)
        let (machine, record) = (seats[place].machine, seats[place].record)
        for action in actions {
            switch action {
            case .fetch(let role, let url, _, let request, let serial):
                auditor.asked(role, url: url, breakSerial: serial, facts: machine.facts, record, at: now)
                if serial != 0 { seats[place].breakRequests[role] = request }
                guard role == .podManifest else { continue }
                seats[place].breakSerial = serial
                seats[place].podURL = url
            case .schedule(let timer, let instant): seats[place].timers[timer] = instant
            case .cancel(let timer): seats[place].timers[timer] = nil
            case .breakScheduled(let planned): auditor.scheduled(planned, record)
            case .note(let note, let planned):
                let podURL = seats[place].podURL
                if case .breakFilled = note { seats[place].hasEndedBreak = true }
                auditor.noted(note, of: planned, podURL: podURL, facts: machine.facts, record, at: now)
            case .poll, .preparePod, .warm, .abandon, .gone: break
            }
        }
    }

    /// What was found so far.
    var findings: [Finding] { RunTotals(merging: [recorder.finish()]).findings }

    /// The codes of it, sorted.
    var codes: [String] { findings.map(\.code.code).sorted() }
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
    var remoteAddress: String { "" }
    var traceID: String? { nil }
}
