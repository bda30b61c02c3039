import Audit
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

/// The viewers of one loop, confined to it; only `SwarmPulse` and `LoopInterval` leave it.
final class Crowd {
    let clock: any LoopClock
    let plan: ViewerPlan
    let recorder: LoopRecorder
    let auditor: Auditor
    let transport: any ViewerTransport
    let lateAfterNanoseconds: Int64
    private let slots: PollSlots
    /// For requests without rules of the player.
    let connection: ConnectionPlan
    let limits: RequestLimits
    let requests: ViewerRequests
    let tracing: RequestTracing
    // Each answer reads it, and no access calls back.
    @exclusivity(unchecked) var caches = CacheNamings()
    let observer: (any ViewerObserver)?
    /// Whether an observer or the keeping of exchanges needs every answer.
    let watchesAnswers: Bool
    // A run-time exclusivity check costs more than the access, and can find nothing: no access calls back.
    @exclusivity(unchecked) private(set) var viewers: ContiguousArray<ViewerSlot> = []
    /// Requests sent later than the plan's budget allows.
    var lateStarts = 0
    /// Planned requests that were never sent, because this machine lacked resources.
    var droppedStarts = 0
    var bookedBodies = (parsed: 0, recognised: 0)
    var harnessFailure: String?
    /// Counts by request kind, because a reused connection was closed.
    var resends = [Int](repeating: 0, count: RequestKind.allCases.count)
    let end: EndOfRun
    let channelBreaks: ChannelBreaks
    /// Nanoseconds spent parsing answers after the end.
    var understoodAtEnd: Int64 = 0
    private let churns: Bool
    /// Whether a browser may refuse an answer: a viewer is in one, and the profile names the origin of its page.
    let hasPages: Bool
    /// When viewers that closed the application because nothing is shown, or are about to, open it again; by index.
    private(set) var abandonments: [Int: Instant] = [:]
    let shutOut: ShutOutBook
    private var nextReplacement: Int
    private let replacementStride: Int
    @exclusivity(unchecked) private(set) var actions: [ViewerAction] = []
    private(set) var isStopping = false
    private var remaining = 0
    /// Visits without a seat yet, and seats that viewers have left; only with a curve.
    private var coming: ArraySlice<AudienceSchedule.Visit> = []
    private var freeSeats: [Int] = []
    private var whenEmpty: [() -> Void] = []

    convenience init(_ setup: CrowdSetup, loop: EventLoop) throws {
        var configuration = TransportConfiguration(setup.loadPlan.connection, permitting: setup.authorisedHosts)
        (configuration.bodyBudget, configuration.seed) = (setup.bodyBudget, setup.loadPlan.seed)
        let transport = try HTTPTransport(
            loop: loop,
            configuration: configuration,
            expectedOwners: setup.visits.count,
            tls: setup.tls
        )
        self.init(setup, clock: loop, transport: transport)
        loop.stallLimit = setup.loadPlan.generator.maximumLoopDelay.nanosecondsHeld
    }

    init(_ setup: CrowdSetup, clock: any LoopClock, transport: any ViewerTransport) {
        (self.clock, self.transport) = (clock, transport)
        plan = setup.viewerPlan
        recorder = LoopRecorder(measuredFromMicroseconds: setup.measuredFromMicroseconds)
        shutOut = ShutOutBook(setup.viewerPlan, recorder)
        auditor = Auditor(
            AuditContext(
                setup.viewerPlan,
                loadPlan: setup.loadPlan,
                sessions: setup.sessions,
                authorised: setup.authorisedHosts,
                recorder: recorder,
                account: setup.bodyBudget,
                observer: setup.observer
            )
        )
        hasPages = auditor.context.pages?.haveOrigin ?? false
        lateAfterNanoseconds = setup.loadPlan.generator.maximumLateness.nanosecondsHeld
        slots = PollSlots(length: setup.loadPlan.generator.slot)
        connection = setup.loadPlan.connection
        limits = RequestLimits(setup.viewerPlan.personas, setup.loadPlan.connection.bodyLimits)
        requests = ViewerRequests(
            setup.viewerPlan,
            setup.loadPlan.connection,
            identifiesViewers: setup.endpoints.identifiesViewers,
            clock: clock
        )
        let hasOwnTrace = setup.loadPlan.connection.headers.keys.contains { $0.lowercased() == TraceContext.headerName }
        tracing = RequestTracing(
            share: hasOwnTrace ? 0 : setup.loadPlan.connection.traceShare,
            seed: setup.loadPlan.seed
        )
        (end, channelBreaks) = (setup.end, setup.channelBreaks)
        churns = setup.loadPlan.audience.churnPerMinute > 0
        observer = setup.observer
        watchesAnswers = setup.observer != nil || !setup.exchanges.viewers.isEmpty
        recorder.exchanges.asked = setup.exchanges
        (nextReplacement, replacementStride) = (setup.firstReplacement, setup.replacementStride)
        transport.handler = self
        auditor.context.forEachViewer = { [unowned self] body in
            for viewer in viewers { body(viewer.record) { viewer.machine } }
        }
        recorder.isOverBudget = { [clock] in clock.lastStall?.reaches(clock.now) ?? false }
        guard setup.loadPlan.audience.curve == nil else {
            coming = setup.visits[...]
            scheduleNextJoin()
            return
        }
        viewers.reserveCapacity(setup.visits.count)
        for visit in setup.visits {
            schedule(CrowdToken.join, index: viewers.count, at: instant(visit.joinsAt))
            viewers.append(slot(number: visit.number, seat: viewers.count))
        }
        remaining = viewers.count
    }

    private func slot(number: Int, seat: Int, life: UInt8 = 0) -> ViewerSlot {
        ViewerSlot(
            seat: seat,
            machine: ViewerMachine(number: number, plan: plan, life: life),
            owner: transport.makeOwner(sourceAddressIndex: number),
            headers: requests.keptHeaders(viewer: number),
            groups: ViewerGroups(plan.reportedNumbers(ofViewer: number)),
            line: plan.bandwidth(ofViewer: number).map(ViewerLine.init)
        )
    }

    func schedule(_ detail: UInt8, index: Int, at deadline: Instant) {
        clock.wake(self, at: deadline, token: CrowdToken(index: index, detail: detail).rawValue)
    }

    /// `handling`: nanoseconds that an answer had lain in its socket by `now`.
    ///
    /// With an examined `answer`, the viewer's own findings are reported with its edge.
    func deliver(
        _ event: ViewerEvent,
        to viewer: ViewerSlot,
        now: Instant,
        handling: Int64 = 0,
        answer: TransferResult? = nil
    ) {
        viewer.machine.handle(event, now: now, handling: handling, actions: &actions)
        observer?.viewer(viewer.machine.number, met: event, did: actions, now: now)
        var isGone = false
        for next in actions.indices { carryOut(actions[next], viewer, now: now, answer, isGone: &isGone) }
        // removeAll(keepingCapacity:) costs more than all else here.
        while actions.popLast() != nil {}
        if isGone { viewerGone(viewer, now: now) }
    }

    func carryOut(
        _ action: ViewerAction,
        _ viewer: ViewerSlot,
        now: Instant,
        _ answer: borrowing TransferResult?,
        isGone: inout Bool
    ) {
        switch action {
        case .fetch(let role, let url, let plannedAt, let number, let serial):
            auditor.asked(role, url: url, breakSerial: serial, facts: viewer.machine, viewer.record, at: now)
            if role == .podRepeat { for case .note(.finding, _) in actions { viewer.suspect(.podManifest) } }
            let request = requests.request(role, url: url, viewer)
            let place = (index: number, breakSerial: serial)
            let reads = auditor.readsAdSegment(role, url: url, at: place, facts: viewer.machine, viewer.record)
            start(
                role,
                request,
                plannedAt: plannedAt,
                request: number,
                breakSerial: serial,
                keepsBody: reads || role.traits.contains(.keepsBody),
                viewer
            )
        case .poll(let plannedAt):
            let request = requests.pollRequest(viewer)
            let number = viewer.machine.requestIndex(of: .video)
            start(.playlist, request, plannedAt: plannedAt, request: number, keepsBody: true, viewer)
        case .schedule(let timer, let wanted):
            set(timer, at: timer.isOfPolls ? slots.slot(for: wanted) : wanted, viewer)
        case .cancel(let timer):
            viewer.deadlines[Int(timer.rawValue)] = .zero
        case .breakScheduled(let planned):
            auditor.scheduled(planned, viewer.record)
            viewer.podRequest = nil
            viewer.podURL = ""
        case .preparePod(let url):
            requests.preparePod(url: url, viewer)
        case .warm:
            if let request = viewer.podRequest { transport.warm(request, owner: viewer.owner) }
        case .note(let note, let planned): take(note, of: planned, viewer, answer, now: now)
        case .defect(let reason): harnessFailure = harnessFailure ?? reason
        case .abandon(let reopensAt):
            abandonments[viewer.seat] = reopensAt
            // A target that swallows requests is not waited for.
            transport.close(viewer.owner)
        case .gone:
            isGone = true
        }
    }

    private func set(_ timer: ViewerTimer, at deadline: Instant, _ viewer: ViewerSlot) {
        viewer.deadlines[Int(timer.rawValue)] = deadline
        schedule(timer.rawValue, index: viewer.seat, at: deadline)
    }

    private func viewerGone(_ viewer: ViewerSlot, now: Instant) {
        transport.close(viewer.owner)
        auditor.left(viewer.record)
        let reopensAt = abandonments.removeValue(forKey: viewer.seat)
        if !isStopping, !viewer.isDeparting, let reopensAt, reopensAt != .distantFuture {
            reopen(viewer, at: max(reopensAt, now))
            return
        }
        // A viewer that the target has lost is not replaced.
        guard isStopping || !churns || viewer.isDeparting || reopensAt != nil else {
            replaceViewer(viewer.seat, now: now)
            return
        }
        if viewer.isDeparting { freeSeats.append(viewer.seat) }
        remaining -= 1
        announceIfEmpty()
    }

    private func reopen(_ viewer: ViewerSlot, at instant: Instant) {
        let (life, seat) = (viewer.machine.life, viewer.seat)
        // Never the first life again, in which a viewer is counted.
        let again = slot(number: viewer.machine.number, seat: seat, life: life == .max ? life : life + 1)
        again.cookies = viewer.cookies
        viewers[seat] = again
        abandonments[seat] = instant
        schedule(CrowdToken.reopening, index: seat, at: instant)
    }

    private func replaceViewer(_ seat: Int, now: Instant) {
        viewers[seat] = slot(number: nextReplacement, seat: seat)
        nextReplacement += replacementStride
        recorder.count(.churned)
        deliver(.join, to: viewers[seat], now: now)
    }

    private func announceIfEmpty() {
        guard remaining == 0 else { return }
        let waiting = whenEmpty
        whenEmpty = []
        for done in waiting { done() }
    }

    private func instant(_ sinceStart: Int64) -> Instant { plan.timebase.start.later(by: sinceStart) }

    private func scheduleNextJoin() {
        if let next = coming.first { schedule(CrowdToken.nextJoin, index: 0, at: instant(next.joinsAt)) }
    }

    private func seatNext(at deadline: Instant) {
        let now = max(deadline, clock.now).nanoseconds(since: plan.timebase.start)
        while !isStopping, let visit = coming.first, visit.joinsAt <= now {
            coming.removeFirst()
            let index = freeSeats.popLast() ?? viewers.count
            let viewer = slot(number: visit.number, seat: index)
            if index < viewers.count { viewers[index] = viewer } else { viewers.append(viewer) }
            remaining += 1
            if visit.leavesAt != .max { schedule(CrowdToken.departure, index: index, at: instant(visit.leavesAt)) }
            deliver(.join, to: viewer, now: instant(visit.joinsAt))
        }
        if !isStopping { scheduleNextJoin() }
    }

    /// Few enough that no request waits for it.
    private static let toldAtOnce = 256

    /// Informs some of the present viewers; later joiners look for the break themselves.
    ///
    /// Returns the index to continue with; nil at the end.
    func call(_ planned: PlannedBreak, from first: Int) -> Int? {
        guard !isStopping, first < viewers.count else { return nil }
        let (end, now) = (min(first + Self.toldAtOnce, viewers.count), clock.now)
        for index in first..<end {
            let viewer = viewers[index]
            guard viewer.machine.isPresent, viewer.machine.phase != .waiting else { continue }
            deliver(.breakCalled(planned), to: viewer, now: now)
        }
        return end
    }

    /// `done` is called on the loop; requests still open after the greatest timeout are abandoned.
    ///
    /// Repeated calls are allowed: an interruption can meet the end.
    func stop(_ done: @escaping () -> Void) {
        whenEmpty.append(done)
        guard !isStopping else {
            announceIfEmpty()
            return
        }
        isStopping = true
        let now = clock.now
        countUnlisted(at: end.beganAt ?? now, isEnd: true)
        shutOut.endAll(at: end.beganAt ?? now)
        for viewer in viewers where viewer.machine.isPresent { deliver(.leave, to: viewer, now: now) }
        announceIfEmpty()
        guard remaining > 0 else { return }
        let patience = limits.greatestTotal(otherwise: connection.totalTimeout.nanosecondsHeld)
        schedule(CrowdToken.abandonment, index: 0, at: (end.beganAt ?? now) &+ patience)
    }
}

extension Crowd: TimerHandler {
    func timerFired(token: UInt64, deadline: Instant) {
        let token = CrowdToken(rawValue: token)
        guard token.detail != CrowdToken.nextJoin else { return seatNext(at: deadline) }
        guard token.index < viewers.count else { return }
        let viewer = viewers[token.index]
        switch token.detail {
        case CrowdToken.join:
            if !isStopping { deliver(.join, to: viewer, now: deadline) }
        case CrowdToken.reopening:
            // The viewer may have left for good, and another may wait in its seat.
            guard !isStopping, viewer.machine.phase == .waiting, abandonments[token.index] == deadline else { return }
            abandonments[token.index] = nil
            recorder.count(.reopened)
            deliver(.join, to: viewer, now: deadline)
        case CrowdToken.abandonment:
            for viewer in viewers where viewer.machine.phase != .gone { transport.close(viewer.owner) }
        case CrowdToken.arrival:
            while let arrival = viewer.arrived(by: deadline) {
                deliver(arrival.event, to: viewer, now: deadline, handling: arrival.ownDelay)
            }
        case CrowdToken.departure:
            viewer.isDeparting = true
            shutOut.end(viewer.machine.number, at: deadline)
            // A viewer that the target has lost kept its seat.
            if viewer.machine.phase == .gone, !isStopping { return freeSeats.append(token.index) }
            deliver(.leave, to: viewer, now: deadline)
        default:
            if let timer = ViewerTimer(rawValue: token.detail) { fired(timer, deadline, viewer) }
        }
    }

    private func fired(_ timer: ViewerTimer, _ deadline: Instant, _ viewer: ViewerSlot) {
        guard viewer.deadlines[Int(timer.rawValue)] == deadline else { return }
        if timer == .abandonment, let stall = clock.lastStall, stall.reaches(clock.now) {
            // A viewer's patience counts delays of the target, not of podswarm.
            return set(timer, at: stall.endedAt.later(by: stall.length), viewer)
        }
        viewer.deadlines[Int(timer.rawValue)] = .zero
        deliver(.timer(timer), to: viewer, now: deadline)
    }
}
