import AdServing
package import Audience
import Audit
package import LoadProfile
package import Origin
import Rulebook
package import Time
import Viewer

/// A run without sockets and without waiting: the viewers of a plan, on a clock that jumps from event to event, against the
/// reference origin.
///
/// The viewers are those of a run, and so is what they are answered: what a plan asks for is not worked out a second time
/// by other rules. What no viewer can know is taken for good: each request is sent at the instant at which it was planned,
/// and each answer comes in full.
package final class DryRun {
    /// Who asks whom, and when.
    package struct Setting: Sendable {
        package var plan: LoadPlan
        /// Where requests go; all of it is below `base`.
        package var endpoints: TargetEndpoints
        /// Scheme, host and port under which the origin is asked.
        package var base: String
        /// When the first viewer joins.
        package var start: WallTime
        /// How long an answer takes.
        package var answerTime = Duration.milliseconds(1)
        /// Beyond about so many requests only some viewers are counted: no bill is to take longer than a second or so.
        package var requestLimit = 30_000

        package init(plan: LoadPlan, endpoints: TargetEndpoints, base: String, start: WallTime) {
            self.plan = plan
            self.endpoints = endpoints
            self.base = base
            self.start = start
        }
    }

    /// A request that is not answered yet.
    struct OpenRequest {
        let viewer: Int
        let role: ViewerRole
        let number: UInt8
        let serial: UInt16
        let plannedAt: Instant
        let sentAt: Instant
        let fetched: DryTarget.Fetched
    }

    static let joinDetail = UInt8.max
    /// At which whoever is in a place leaves it for good.
    static let departureDetail = UInt8.max - 1

    let plan: ViewerPlan
    let auditor: Auditor
    let start: Instant
    var target: DryTarget
    var metadata = KnownMetadata()
    private let setting: Setting
    private let answerNanoseconds: Int64
    private var viewers: [DryViewer] = []
    private var queue = DryRunQueue()
    private var open: [OpenRequest?] = []
    private var free: [Int] = []
    private var actions: [ViewerAction] = []
    private let sample: ViewerSample
    private var nextNumber: Int
    private var isStopping = false
    private var tally: BillTally
    private var breaks: Set<String> = []

    /// What a run asks for.
    ///
    /// - Parameters:
    ///   - setting: Who asks whom, and when.
    ///   - origin: Makes one that nobody has asked yet.
    /// - Returns: The bill.
    package static func bill(
        _ setting: Setting,
        origin: () throws -> OriginService
    ) rethrows -> RunBill {
        let timebase = Timebase(start: clockStart, wallStart: setting.start)
        let plan = ViewerPlan(setting.plan, endpoints: setting.endpoints, timebase: timebase)
        let schedule = AudienceSchedule(setting.plan, runStart: setting.start)
        let sample = ViewerSample(of: schedule.visits) { plan.personaIndex(ofViewer: $0) }
        func bill(_ setting: Setting, _ sample: ViewerSample) throws -> RunBill {
            DryRun(setting, plan, sample, nextNumber: schedule.nextNumber, origin: try origin()).bill()
        }
        // How much viewers ask for is known when a few have asked for a while.
        var glance = setting
        let whole = setting.plan.duration
        glance.plan.duration = min(whole, max(Self.leastGlance, min(whole / 4, Self.longestGlance)))
        let few = sample.sized(share: 0).joiningAtOnce
        let asked = Double(try bill(glance, few).total.count) / few.viewerSeconds(of: glance.plan.duration)
        let requests = asked * sample.sized(share: 1).viewerSeconds(of: whole)
        var all = try bill(setting, sample.sized(share: Double(setting.requestLimit) / max(requests, 1)))
        all.planned = schedule.visits.count
        all.course = setting.plan.audience.curve == nil ? nil : schedule.course(over: setting.plan.duration)
        return all
    }

    /// For how long a few viewers are asked first, where a quarter of the run is not.
    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    /// Any instant will do that is not the clock's own zero.
    private static let clockStart = Instant(nanoseconds: 1_000_000_000_000)

    private init(
        _ setting: Setting,
        _ plan: ViewerPlan,
        _ sample: ViewerSample,
        nextNumber: Int,
        origin: OriginService
    ) {
        (self.setting, self.plan, self.sample, self.nextNumber) = (setting, plan, sample, nextNumber)
        start = Self.clockStart
        tally = BillTally(of: sample)
        var audited = setting.plan
        // Bodies are read as they are before they are compressed.
        audited.connection.acceptsCompression = false
        auditor = Auditor(AuditContext(plan, loadPlan: audited, sessions: GivenSessions(), sink: SilentSink()))
        target = DryTarget(
            origin,
            at: setting.base,
            acceptsGzip: setting.plan.connection.acceptsCompression
        )
        answerNanoseconds = max(setting.answerTime.nanosecondsHeld, 1_000)
    }

    private func bill() -> RunBill {
        admit()
        pass(until: start.later(by: setting.plan.duration))
        leave()
        pass(until: .distantFuture)
        var bill = tally.bill()
        bill.breaks = breaks.count
        return bill
    }

    private func admit() {
        for (place, visit) in sample.counted.enumerated() {
            viewers.append(DryViewer(ViewerMachine(number: visit.number, plan: plan)))
            queue.add(.timer(viewer: place, detail: Self.joinDetail), at: start &+ visit.joinsAt)
            guard visit.leavesAt < .max else { continue }
            queue.add(.timer(viewer: place, detail: Self.departureDetail), at: start.later(by: visit.leavesAt))
        }
    }

    private func pass(until end: Instant) {
        while let first = queue.firstInstant, first < end, let (now, event) = queue.takeFirst() {
            switch event {
            case .timer(let viewer, let detail): timerFired(detail, viewer, now: now)
            case .answer(let request): answered(request, now: now)
            }
        }
    }

    private func leave() {
        isStopping = true
        let now = start.later(by: setting.plan.duration)
        for index in viewers.indices where ![.gone, .leaving].contains(viewers[index].machine.phase) {
            deliver(.leave, to: index, now: now)
        }
    }

    private func timerFired(_ detail: UInt8, _ index: Int, now: Instant) {
        guard detail != Self.joinDetail else {
            if !isStopping { join(index, now: now) }
            return
        }
        let viewer = viewers[index]
        guard detail != Self.departureDetail else {
            viewer.isDeparting = true
            if !isStopping, ![.gone, .leaving].contains(viewer.machine.phase) { deliver(.leave, to: index, now: now) }
            return
        }
        guard let timer = ViewerTimer(rawValue: detail), viewer.deadlines[Int(detail)] == now else { return }
        viewer.deadlines[Int(detail)] = .zero
        deliver(.timer(timer), to: index, now: now)
    }

    private func answered(_ number: Int, now: Instant) {
        guard let request = open[number] else { return }
        open[number] = nil
        free.append(number)
        let event = understood(request, viewers[request.viewer], now: now)
        deliver(event, to: request.viewer, now: now)
        if auditor.context.endsSession(request.role, status: request.fetched.status) {
            deliver(.sessionEnded, to: request.viewer, now: now)
        }
    }

    // MARK: Machines

    private func deliver(_ event: ViewerEvent, to index: Int, now: Instant) {
        let viewer = viewers[index]
        viewer.machine.handle(event, now: now, actions: &actions)
        var isGone = false
        for next in actions.indices {
            carryOut(actions[next], viewer, index, now: now, isGone: &isGone)
        }
        actions.removeAll(keepingCapacity: true)
        guard isGone else { return }
        auditor.left(viewer.record)
        guard !isStopping, !viewer.isDeparting, setting.plan.audience.churnPerMinute > 0 else { return }
        replace(index, now: now)
    }

    private func carryOut(
        _ action: ViewerAction,
        _ viewer: DryViewer,
        _ index: Int,
        now: Instant,
        isGone: inout Bool
    ) {
        switch action {
        case .fetch(let role, let url, let plannedAt, let number, let serial):
            send(role, url: url, plannedAt: plannedAt, number: number, serial: serial, index, now: now)
        case .poll(let plannedAt):
            let (url, number) = (viewer.machine.playlistURL, viewer.machine.requestIndex(of: .video))
            send(.playlist, url: url, plannedAt: plannedAt, number: number, serial: 0, index, now: now)
        case .schedule(let timer, let deadline):
            // What is due already is due now: time does not go back.
            let deadline = max(deadline, now)
            viewer.deadlines[Int(timer.rawValue)] = deadline
            queue.add(.timer(viewer: index, detail: timer.rawValue), at: deadline)
        case .cancel(let timer): viewer.deadlines[Int(timer.rawValue)] = .zero
        case .breakScheduled(let planned): auditor.scheduled(planned, viewer.record)
        case .preparePod, .warm, .abandon: break
        case .note(let note, let planned): take(note, of: planned, by: index)
        case .gone: isGone = true
        }
    }

    private func replace(_ index: Int, now: Instant) {
        viewers[index] = DryViewer(ViewerMachine(number: nextNumber, plan: plan))
        nextNumber += 1
        tally.add(.replaced, by: index)
        join(index, now: now)
    }

    private func join(_ index: Int, now: Instant) {
        tally.join(at: now.nanoseconds(since: start), by: index)
        deliver(.join, to: index, now: now)
    }

    private func send(
        _ role: ViewerRole,
        url: String,
        plannedAt: Instant,
        number: UInt8,
        serial: UInt16,
        _ index: Int,
        now: Instant
    ) {
        let wall = plan.timebase.wall(at: now)
        let viewer = viewers[index]
        let posted = postedRequest(role, url: url, viewer, at: wall)
        let fetched = target.fetch(role, url, post: posted, viewer: viewer.machine.number, at: wall)
        tally.add(role.kind, bytes: fetched.sentBodyBytes, at: now.nanoseconds(since: start), by: index)
        let request = OpenRequest(
            viewer: index,
            role: role,
            number: number,
            serial: serial,
            plannedAt: plannedAt,
            sentAt: now,
            fetched: fetched
        )
        let answeredAt = max(now, plan.timebase.instant(of: fetched.releasedAt)) &+ answerNanoseconds
        queue.add(.answer(request: keep(request)), at: answeredAt)
    }

    /// What a viewer posts; nil where it only asks.
    private func postedRequest(
        _ role: ViewerRole,
        url: String,
        _ viewer: DryViewer,
        at wall: WallTime
    ) -> SessionRequest? {
        let number = viewer.machine.number
        switch role {
        case .registration:
            let request = plan.sessionRequest(
                of: number,
                server: viewer.machine.registrationServer,
                isUpdated: viewer.machine.hasUpdatedSession,
                now: wall
            )
            return request?.method == .post ? request : nil
        case .sessionUpdate: return plan.sessionUpdate(of: number, url: url, now: wall)
        default: return nil
        }
    }

    private func keep(_ request: OpenRequest) -> Int {
        guard let place = free.popLast() else {
            open.append(request)
            return open.count - 1
        }
        open[place] = request
        return place
    }

    private func take(_ note: ViewerNote, of planned: PlannedBreak?, by index: Int) {
        switch note {
        case .counted(let counter): count(counter, 1, by: index)
        case .added(let counter, let number): count(counter, number, by: index)
        case .breakDue:
            tally.add(.breaksDue, by: index)
            if let planned { breaks.insert(planned.scheduled.key) }
        default: break
        }
    }

    private func count(_ counter: ViewerCounter, _ number: UInt64, by index: Int) {
        let sum: BillTally.Sum? =
            switch counter {
            case .joined: .joined
            case .registrationRenewed: .renewals
            case .pingsWithheld: .pingsWithheld
            case .beaconsWithheld: .beaconsWithheld
            case .adSegmentsWithheld: .adSegmentsWithheld
            default: nil
            }
        if let sum { tally.add(sum, number, by: index) }
    }
}
