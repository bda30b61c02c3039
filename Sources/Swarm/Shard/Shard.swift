import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

/// The viewers of one loop, and all that they share: transport, recorder, known playlists.
///
/// Confined to its loop; only `ShardPulse`, `LoopInterval` and `LoopTotals` leave it.
final class Shard {
    let loop: EventLoop
    let plan: ViewerPlan
    let recorder: LoopRecorder
    let playlists: PlaylistCache
    let assets = AssetCache()
    let audience = AudienceWatch()
    let pods = PodBook()
    let transport: any ViewerTransport
    let identifiesViewers: Bool
    let comparesPods: Bool
    let lateAfterNanoseconds: Int64
    let acceptsGzip: Bool
    /// How long requests wait that no player has rules of its own for.
    let connection: ConnectionPlan
    let observer: (any ViewerObserver)?
    // Accessed several times for each poll: a run-time exclusivity check of each access would cost more than the access.
    // It can find nothing, because the class is confined to one loop, and nothing is called back during an access.
    @exclusivity(unchecked) private(set) var viewers: ContiguousArray<ViewerSlot> = []
    /// Requests sent later than the plan's budget allows.
    var lateStarts = 0
    /// Requests that were planned and never sent, because this machine ran out of something.
    var droppedStarts = 0
    /// Playlist bodies that the recorder already knows of.
    var bookedBodies = (parsed: 0, recognised: 0)
    /// Why this loop's part of the run is not to be trusted; nil while it is.
    var harnessFailure: String?
    /// Requests that were sent again because a reused connection turned out to be closed, by request kind.
    var resends = [Int](repeating: 0, count: RequestKind.allCases.count)
    /// Variants of one channel fit; a target that gives each session URLs of its own must not fill the memory.
    private static let keptRequests = 64
    private let churns: Bool
    private let nextNumber: () -> Int
    private var sharedHeaders: HeaderList?
    private var sharedRequests: [String: PreparedRequest] = [:]
    private let headerFields: [(name: String, value: String)]
    let limits: RequestLimits
    /// Whether answers may say that a session is over.
    let sessionsEnd: Bool
    /// What a machine just answered; empty between events.
    @exclusivity(unchecked) private var actions: [ViewerAction] = []
    private var isStopping = false
    private var remaining = 0
    private var whenEmpty: [() -> Void] = []

    convenience init(_ setup: ShardSetup, loop: EventLoop) throws {
        let transport = try HTTPTransport(
            loop: loop,
            configuration: TransportConfiguration(setup.loadPlan.connection, permitting: setup.authorisedHosts),
            expectedOwners: setup.joins.count,
            tls: setup.tls
        )
        try self.init(setup, loop: loop, transport: transport)
    }

    init(_ setup: ShardSetup, loop: EventLoop, transport: any ViewerTransport) throws {
        self.loop = loop
        self.plan = setup.viewerPlan
        self.recorder = LoopRecorder(measuredFromMicroseconds: setup.measuredFromMicroseconds)
        self.playlists = PlaylistCache(
            announcements: AnnouncedBreaks(setup.loadPlan.breaks),
            interstitials: InterstitialReader(setup.loadPlan.breaks, runStart: setup.viewerPlan.timebase.wallStart),
            scheduled: ScheduledAnnouncements(setup.loadPlan.breaks)
        )
        self.identifiesViewers = setup.endpoints.identifiesViewers
        self.comparesPods = setup.loadPlan.pods.consistency == .same
        self.lateAfterNanoseconds = setup.loadPlan.generator.maximumLateness.nanosecondsHeld
        self.acceptsGzip = setup.loadPlan.connection.acceptsCompression
        self.connection = setup.loadPlan.connection
        self.churns = setup.loadPlan.audience.churnPerMinute > 0
        self.observer = setup.observer
        self.headerFields = setup.loadPlan.connection.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.limits = RequestLimits(setup.viewerPlan.personas)
        self.sessionsEnd = setup.viewerPlan.adapter.sessionsEnd
        self.transport = transport
        var replacements = setup.firstReplacement
        let stride = setup.replacementStride
        self.nextNumber = {
            defer { replacements += stride }
            return replacements
        }
        self.transport.handler = self
        self.transport.delegate = self
        self.viewers.reserveCapacity(setup.joins.count)
        for join in setup.joins {
            self.viewers.append(self.slot(number: join.number))
            self.schedule(ShardToken.join, place: self.viewers.count - 1, at: join.at)
        }
        self.remaining = self.viewers.count
    }

    private func slot(number: Int) -> ViewerSlot {
        ViewerSlot(
            machine: ViewerMachine(number: number, plan: self.plan),
            owner: self.transport.makeOwner(sourceAddressIndex: number),
            headers: self.headers(number: number)
        )
    }

    private func headers(number: Int) -> HeaderList? {
        guard self.identifiesViewers else {
            if let shared = self.sharedHeaders {
                return shared
            }
            let shared = HeaderList(self.headerFields)
            self.sharedHeaders = shared
            return shared
        }
        return HeaderList(self.fields(number: number))
    }

    /// The headers of a viewer's requests, as they are sent.
    func fields(number: Int) -> [(name: String, value: String)] {
        self.identifiesViewers ? self.headerFields + [(WireName.viewerHeader, String(number))] : self.headerFields
    }

    // MARK: Time

    private func schedule(_ detail: UInt8, place: Int, at deadline: Int64) {
        self.loop.schedule(at: deadline, token: ShardToken(place: place, detail: detail).rawValue, handler: self)
    }

    // MARK: Machines

    /// Gives one viewer an event and carries out what it answers.
    func deliver(_ event: ViewerEvent, to viewer: ViewerSlot, place: Int, now: Int64) {
        viewer.machine.handle(event, now: now, actions: &self.actions)
        self.observer?.viewer(viewer.machine.number, met: event, did: self.actions, now: now)
        var isGone = false
        for index in self.actions.indices {
            self.carryOut(self.actions[index], viewer, place: place, now: now, isGone: &isGone)
        }
        // One by one, because removeAll(keepingCapacity:) costs more than all else here.
        while self.actions.popLast() != nil {}
        if isGone {
            self.viewerGone(viewer, place: place, now: now)
        }
    }

    private func carryOut(
        _ action: ViewerAction,
        _ viewer: ViewerSlot,
        place: Int,
        now: Int64,
        isGone: inout Bool
    ) {
        switch action {
        case .fetch(let role, let url, let plannedAt, let index):
            self.checkToken(of: url, role, viewer)
            let request = self.request(role, url: url, viewer)
            self.start(role, request, plannedAt: plannedAt, index: index, viewer, place: place)
        case .fetchOfEvent(let role, let url, let plannedAt, let serial, let index):
            self.checkToken(of: url, role, serial: serial, viewer)
            let request = PreparedRequest(url: url, headers: viewer.headers)
            self.start(role, request, plannedAt: plannedAt, index: index, breakSerial: serial, viewer, place: place)
        case .poll(let plannedAt):
            let request = self.pollRequest(viewer)
            let index = viewer.machine.requestIndex(of: .video)
            self.start(.playlist, request, plannedAt: plannedAt, index: index, viewer, place: place)
        case .schedule(let timer, let deadline):
            viewer.deadlines[Int(timer.rawValue)] = deadline
            self.schedule(timer.rawValue, place: place, at: deadline)
        case .cancel(let timer):
            viewer.deadlines[Int(timer.rawValue)] = 0
        case .breakScheduled(let planned):
            self.nextBreak(planned, viewer)
        case .preparePod(let url):
            viewer.podRequest = PreparedRequest(url: url, headers: viewer.headers)
        case .warm:
            if let request = viewer.podRequest {
                self.transport.warm(request, owner: viewer.owner)
            }
        case .note(let note):
            self.take(note, viewer)
        case .noteOfEvent(let planned, let note):
            self.take(note, of: planned, viewer)
        case .gone:
            isGone = true
        }
    }

    private func viewerGone(_ viewer: ViewerSlot, place: Int, now: Int64) {
        self.transport.close(viewer.owner)
        self.releasePlaces(viewer)
        guard self.isStopping || !self.churns else {
            self.replaceViewer(place, now: now)
            return
        }
        self.remaining -= 1
        self.announceIfEmpty()
    }

    private func replaceViewer(_ place: Int, now: Int64) {
        self.viewers[place] = self.slot(number: self.nextNumber())
        self.recorder.count(.churned)
        self.deliver(.join, to: self.viewers[place], place: place, now: now)
    }

    private func announceIfEmpty() {
        guard self.remaining == 0 else { return }
        let waiting = self.whenEmpty
        self.whenEmpty = []
        for done in waiting {
            done()
        }
    }

    // MARK: The end

    /// No viewer asks for anything any more; `done` is called on the loop when every request in flight is answered.
    ///
    /// May be asked again, while it goes on and afterwards: an interruption can meet the end of the run.
    func stop(_ done: @escaping () -> Void) {
        self.whenEmpty.append(done)
        guard !self.isStopping else {
            self.announceIfEmpty()
            return
        }
        self.isStopping = true
        let now = MonotonicClock.now()
        for place in self.viewers.indices {
            let viewer = self.viewers[place]
            if viewer.machine.phase != .gone, viewer.machine.phase != .leaving {
                self.deliver(.leave, to: viewer, place: place, now: now)
            }
        }
        self.announceIfEmpty()
    }

    // MARK: Requests

    private func start(
        _ role: ViewerRole,
        _ request: PreparedRequest,
        plannedAt: Int64,
        index: UInt8 = 0,
        breakSerial: UInt16? = nil,
        _ viewer: ViewerSlot,
        place: Int
    ) {
        self.transport.start(
            TransferRequest(
                request,
                owner: viewer.owner,
                plannedAt: plannedAt,
                token: ShardToken(
                    place: place,
                    detail: role.rawValue,
                    breakSerial: breakSerial ?? viewer.breakSerial,
                    index: index
                ).rawValue,
                keepBody: role.keepsBody,
                limits: self.limits[viewer.machine.personaIndex, role]
            )
        )
    }

    /// The request of a role: prepared before where it is sent often or at a break's instant.
    private func request(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        switch role {
        case .podManifest, .podRepeat:
            if let prepared = viewer.podRequest, prepared.url == url {
                return prepared
            }
        case .metadata:
            if let prepared = viewer.metadataRequest, prepared.url == url {
                return prepared
            }
            let prepared = PreparedRequest(url: url, headers: viewer.headers)
            viewer.metadataRequest = prepared
            return prepared
        case .registration: return self.sessionRequest(url: url, viewer)
        case .playlist, .blockingPlaylist: return self.sharedRequest(url: url, viewer)
        case .multivariant, .podPlaylist, .segment, .podSegment, .verification: break
        case .assetList, .assetManifest, .beacon, .part, .steering: break
        }
        return PreparedRequest(url: url, headers: viewer.headers)
    }

    /// The poll of a viewer, prepared once for each variant that it plays.
    private func pollRequest(_ viewer: ViewerSlot) -> PreparedRequest {
        let generation = viewer.machine.generation(of: .video)
        if let known = viewer.playlistRequest, viewer.playlistGeneration == generation { return known }
        _ = self.place(of: .video, viewer)
        let request = self.sharedRequest(url: viewer.machine.playlistURL, viewer)
        viewer.playlistRequest = request
        return request
    }

    /// One request for all viewers of a URL, where their headers are the same.
    private func sharedRequest(url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        guard !self.identifiesViewers else { return PreparedRequest(url: url, headers: viewer.headers) }
        if let shared = self.sharedRequests[url] { return shared }
        let request = PreparedRequest(url: url, headers: viewer.headers)
        if self.sharedRequests.count >= Self.keptRequests {
            self.sharedRequests.removeAll()
        }
        self.sharedRequests[url] = request
        return request
    }

    private func nextBreak(_ planned: PlannedBreak, _ viewer: ViewerSlot) {
        let scheduled = planned.scheduled
        if viewer.planned?.scheduled.key != scheduled.key {
            // Serials with the highest bit set are those of interstitials.
            viewer.formerBreak = viewer.planned.map { FormerBreak(planned: $0, slot: viewer.breakSlot) }
            viewer.breakSerial = (viewer.breakSerial &+ 1) & (EventState.firstSerial - 1)
        }
        viewer.planned = planned
        viewer.breakSlot = self.recorder.breakSlot(
            for: scheduled.key,
            start: scheduled.start.microseconds,
            durationMilliseconds: Int(scheduled.duration.nanosecondsHeld / 1_000_000)
        )
        viewer.podFingerprint = nil
        viewer.podRequest = nil
    }
}

extension Shard: TransportDelegate {
    func transportFailed(_ reason: String) {
        self.harnessFailure = self.harnessFailure ?? reason
    }
}

extension Shard: TimerHandler {
    func timerFired(token: UInt64, deadline: Int64) {
        let token = ShardToken(rawValue: token)
        guard token.place < self.viewers.count else { return }
        let viewer = self.viewers[token.place]
        guard token.detail != ShardToken.join else {
            guard !self.isStopping else { return }
            self.deliver(.join, to: viewer, place: token.place, now: deadline)
            return
        }
        guard let timer = ViewerTimer(rawValue: token.detail), viewer.deadlines[Int(timer.rawValue)] == deadline else {
            return
        }
        viewer.deadlines[Int(timer.rawValue)] = 0
        self.deliver(.timer(timer), to: viewer, place: token.place, now: deadline)
    }
}
