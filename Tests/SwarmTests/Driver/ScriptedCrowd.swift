import AdServing
import Audit
import Profile
import Rules
import Testing
import Transport
import Values

@testable import Swarm
@testable import Viewer

/// Viewers in a crowd as runs have it, on a virtual clock and over a transport that waits for a test's answers.
///
/// Time moves only when a test says so. Most tests have one viewer; members without an index are about the first.
final class ScriptedCrowd {
    typealias Request = ScriptedTransport.Request
    typealias Reply = ScriptedTransport.Reply

    static let start = VirtualClock.start
    /// 2026-11-21T20:00:00Z, a whole minute.
    static let wallStart = WallTime(microseconds: 1_795_291_200_000_000)
    static let server = "http://127.0.0.1:8080"
    static let contentURL = server + "/live/main/multivariant.m3u8"

    let plan: ViewerPlan
    let clock = VirtualClock()
    let transport: ScriptedTransport
    let crowd: Crowd
    let sessions = GivenSessions()
    /// Version of the default channel.
    var version = 1
    private let journal = ViewerJournal()
    private let numbers: [Int]

    /// Viewers that have not joined yet; their numbers begin with `number`.
    init(
        _ plan: LoadPlan = .forTests(),
        viewers: Int = 1,
        number: Int = 0,
        identifiesViewers: Bool = false,
        adServers: [String] = [server, "http://127.0.0.2:8080"]
    ) {
        let endpoints = TargetEndpoints(
            contentURL: Self.contentURL,
            adServers: adServers,
            session: plan.session,
            identifiesViewers: identifiesViewers,
            templates: plan.target.templates
        )
        let timebase = Timebase(start: Self.start, wallStart: Self.wallStart)
        self.plan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        transport = ScriptedTransport(clock)
        numbers = Array(number..<number + viewers)
        let setup = CrowdSetup(
            loadPlan: plan,
            viewerPlan: self.plan,
            endpoints: endpoints,
            authorisedHosts: AuthorisedHosts(),
            visits: numbers.map { AudienceSchedule.Visit(number: $0, joinsAt: .max) },
            sessions: sessions,
            firstReplacement: number + viewers,
            replacementStride: 1,
            observer: journal
        )
        crowd = Crowd(setup, clock: clock, transport: transport)
    }

    func slot(_ index: Int = 0) -> ViewerSlot { crowd.viewers[index] }

    var machine: ViewerMachine {
        get { slot().machine }
        set { slot().machine = newValue }
    }

    // MARK: Time

    var now: Instant { clock.now }

    var seconds: Double { Self.seconds(now) }

    static func seconds(_ instant: Instant) -> Double { Double(instant.nanoseconds(since: start)) / 1e9 }

    static func instant(_ seconds: Double) -> Instant { start.later(by: Int64((seconds * 1e9).rounded())) }

    /// Lets time pass; timers due at its end fire too.
    func advance(seconds: Double) {
        let end = now.later(by: Int64(seconds * 1e9))
        clock.run(until: end &+ 1)
        clock.advance(to: end)
    }

    /// Lets time pass until a timer of a viewer fires; false where it is not set.
    @discardableResult
    func fire(_ timer: ViewerTimer, of index: Int = 0) -> Bool {
        let place = Int(timer.rawValue)
        let deadline = slot(index).deadlines[place]
        guard deadline != .zero else { return false }
        clock.run(until: .distantFuture, while: { slot(index).deadlines[place] == deadline })
        return true
    }

    /// Moves a timer of a viewer to now, and fires it.
    func fireNow(_ timer: ViewerTimer, of index: Int = 0) {
        slot(index).deadlines[Int(timer.rawValue)] = now
        crowd.timerFired(token: CrowdToken(index: index, detail: timer.rawValue).rawValue, deadline: now)
    }

    var timers: [ViewerTimer: Instant] { timers(of: 0) }

    func timers(of index: Int) -> [ViewerTimer: Instant] {
        var timers: [ViewerTimer: Instant] = [:]
        for timer in ViewerTimer.allCases {
            let deadline = slot(index).deadlines[Int(timer.rawValue)]
            if deadline != .zero { timers[timer] = deadline }
        }
        return timers
    }

    /// Seconds from now to a timer; nil where it is not set.
    func wait(_ timer: ViewerTimer) -> Double? { timers[timer].map { Double($0.nanoseconds(since: now)) / 1e9 } }

    // MARK: Life

    func join(_ index: Int? = nil) {
        for index in index.map({ $0..<$0 + 1 }) ?? crowd.viewers.indices {
            let token = CrowdToken(index: index, detail: CrowdToken.join)
            crowd.timerFired(token: token.rawValue, deadline: now)
        }
    }

    func leave(_ index: Int = 0) { crowd.deliver(.leave, to: slot(index), now: now) }

    // MARK: Requests

    /// Requests without an answer, in the order they were made.
    var open: [Request] { transport.open }

    func count(_ role: ViewerRole) -> Int { open.count { $0.role == role } }

    func first(_ role: ViewerRole) -> Request? { open.first { $0.role == role } }

    /// Seconds at which requests of a role were due, answered ones included.
    func asked(_ role: ViewerRole) -> [Double] {
        transport.sent.filter { $0.role == role }.map { Self.seconds($0.plannedAt) }
    }

    /// Answers the oldest open request of a role, by default as a target in order does.
    ///
    /// - Returns: Its URL.
    @discardableResult
    func answer(
        _ role: ViewerRole,
        _ body: String? = nil,
        of viewer: Int? = nil,
        status: Int = 200,
        failure: TransportFailure? = nil,
        headers: [String: String] = [:],
        redirects: Int = 0,
        leftHost: Bool = false,
        flaws: AnswerFlaws = [],
        after seconds: Double = 0,
        handling: Duration = .zero
    ) -> String {
        guard let request = open.first(where: { $0.role == role && (viewer ?? $0.viewer) == $0.viewer }) else {
            Issue.record("no open request: \(role)")
            return ""
        }
        if seconds > 0 { advance(seconds: seconds) }
        let reply = Reply(
            body: body ?? (status == 200 && failure == nil ? AnswerBody.ordinary(request, version: version) : ""),
            status: status,
            failure: failure,
            headers: headers,
            redirects: redirects,
            leftHost: leftHost,
            flaws: flaws,
            handling: handling
        )
        answer(request, reply)
        return request.url
    }

    /// URLs of the requests of a role that a viewer made.
    func urls(_ role: ViewerRole, of index: Int = 0) -> [String] { transport.requests(role, of: index).map(\.url) }

    var parsed: Int { crowd.auditor.library.parsed }

    /// Seconds at which a connection was opened ahead.
    var warmed: [Double] { transport.warmed.map { Self.seconds($0.at) } }

    func answer(_ request: Request, _ reply: Reply) {
        guard let place = open.firstIndex(where: { $0.transfer.token == request.transfer.token }) else {
            Issue.record("a request that is not open: \(request.url)")
            return
        }
        transport.finish(at: place, reply)
    }

    /// Answers what is open and what follows from it; a request without a reply stays open.
    func answerAll(_ reply: (Request) -> Reply?) {
        for _ in 0..<10_000 {
            var answered: (request: Request, reply: Reply)?
            for request in open where answered == nil { if let reply = reply(request) { answered = (request, reply) } }
            guard let answered else { return }
            answer(answered.request, answered.reply)
        }
        Issue.record("viewers ask without end: \(open.map(\.url))")
    }

    /// Answers what is open, and what follows from it, with the bodies of a target in order.
    func answerAll() { answerAll { Reply(body: AnswerBody.ordinary($0, version: self.version)) } }

    /// Lets time pass in steps, and answers what is open after each.
    func watch(seconds: Double, step: Double = 0.25, _ reply: (Request) -> Reply?) {
        let end = self.seconds + seconds
        while self.seconds < end - 1e-9 {
            advance(seconds: min(step, end - self.seconds))
            answerAll(reply)
        }
    }

    // MARK: What viewers did

    func notes(of index: Int) -> ViewerJournal.Entries { journal.entries[numbers[index], default: .init()] }

    var notes: [ViewerNote] { notes(of: 0).own }

    /// Notes about breaks of the channel, each with the break's key.
    var eventNotes: [(String, ViewerNote)] { notes(of: 0).ofChannel }

    var scheduled: [ViewerJournal.Scheduled] { notes(of: 0).scheduled }

    var isGone: Bool { notes(of: 0).isGone }

    /// When the person opens the application again that it closed; the distant future: never, nil: it is open.
    var reopensAt: Instant? { notes(of: 0).reopensAt }

    func counted(_ counter: ViewerCounter) -> Int { notes.count { $0 == .counted(counter) } }

    func counts(_ counters: ViewerCounter...) -> [Int] { counters.map(counted) }

    /// Sum of what was added to a counter.
    func added(_ counter: ViewerCounter) -> UInt64 {
        notes.reduce(0) {
            guard case .added(counter, let number) = $1 else { return $0 }
            return $0 + number
        }
    }

    var adEvents: [TrackingEvent] {
        notes.compactMap {
            guard case .adEvent(let event) = $0 else { return nil }
            return event
        }
    }

    /// Outcomes of the viewer's own breaks, in order.
    var outcomes: [ViewerNote] { notes.filter(\.isOutcome).map(\.withoutInstant) }

    /// Scheduled breaks, and those that came to an end of any kind.
    var books: Books {
        let ends: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        return Books(scheduled: counted(.eventsScheduled), ended: ends.reduce(0) { $0 + counted($1) })
    }

    struct Books: Equatable {
        var scheduled: Int
        var ended: Int
    }
}
