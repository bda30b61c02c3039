import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

/// The viewers of one loop, and all that they share: transport, recorder, known playlists.
///
/// Confined to its loop; only `ShardPulse` and `LoopTotals` leave it.
final class Shard {
    let loop: EventLoop
    let plan: ViewerPlan
    let recorder = LoopRecorder()
    let playlists: PlaylistCache
    let transport: any ViewerTransport
    let identifiesViewers: Bool
    let comparesPods: Bool
    let lateAfterNanoseconds: Int64
    let observer: (any ViewerObserver)?
    var viewers: [ViewerSlot] = []
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
    private var actions: [ViewerAction] = []
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
        self.playlists = PlaylistCache(announcements: AnnouncedBreaks(setup.loadPlan.breaks))
        self.identifiesViewers = setup.endpoints.identifiesViewers
        self.comparesPods = setup.loadPlan.pods.consistency == .same
        self.lateAfterNanoseconds = setup.loadPlan.generator.maximumLateness.nanosecondsHeld
        self.churns = setup.loadPlan.audience.churnPerMinute > 0
        self.observer = setup.observer
        self.headerFields = setup.loadPlan.connection.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
        return HeaderList(self.headerFields + [(WireName.viewerHeader, String(number))])
    }

    // MARK: Time

    private func schedule(_ detail: UInt8, place: Int, at deadline: Int64) {
        self.loop.schedule(at: deadline, token: ShardToken(place: place, detail: detail).rawValue, handler: self)
    }

    // MARK: Machines

    /// Gives one viewer an event and carries out what it answers.
    func deliver(_ event: ViewerEvent, to place: Int, now: Int64) {
        var actions = self.actions
        self.actions = []
        self.viewers[place].machine.handle(event, now: now, actions: &actions)
        self.observer?.viewer(self.viewers[place].machine.number, met: event, did: actions, now: now)
        for index in actions.indices {
            self.carryOut(actions[index], place: place, now: now)
        }
        actions.removeAll(keepingCapacity: true)
        self.actions = actions
    }

    private func carryOut(_ action: ViewerAction, place: Int, now: Int64) {
        switch action {
        case .fetch(let role, let url, let plannedAt):
            self.fetch(role, url: url, plannedAt: plannedAt, place: place)
        case .schedule(let timer, let deadline):
            self.viewers[place].deadlines[Int(timer.rawValue)] = deadline
            self.schedule(timer.rawValue, place: place, at: deadline)
        case .cancel(let timer):
            self.viewers[place].deadlines[Int(timer.rawValue)] = 0
        case .breakScheduled(let scheduled, let identifier, let podURL):
            self.prepareBreak(scheduled, identifier, podURL: podURL, place: place)
        case .note(let note):
            self.take(note, place: place, now: now)
        case .gone:
            self.viewerGone(place, now: now)
        }
    }

    private func viewerGone(_ place: Int, now: Int64) {
        self.transport.close(self.viewers[place].owner)
        if self.viewers[place].playlistPlace >= 0 {
            self.playlists.release(self.viewers[place].playlistPlace)
            self.viewers[place].playlistPlace = -1
        }
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
        self.deliver(.join, to: place, now: now)
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
            if self.viewers[place].machine.phase != .gone, self.viewers[place].machine.phase != .leaving {
                self.deliver(.leave, to: place, now: now)
            }
        }
        self.announceIfEmpty()
    }

    // MARK: Requests

    private func fetch(_ role: ViewerRole, url: String, plannedAt: Int64, place: Int) {
        let request = self.request(role, url: url, place: place)
        self.transport.start(
            TransferRequest(
                request,
                owner: self.viewers[place].owner,
                plannedAt: plannedAt,
                token: ShardToken(
                    place: place,
                    detail: role.rawValue,
                    breakSerial: self.viewers[place].breakSerial
                ).rawValue,
                keepBody: role.keepsBody
            )
        )
    }

    /// The request of a role: prepared before where it is sent often or at a break's instant.
    private func request(_ role: ViewerRole, url: String, place: Int) -> PreparedRequest {
        switch role {
        case .playlist:
            return self.playlistRequest(url: url, place: place)
        case .podManifest, .podRepeat:
            if let prepared = self.viewers[place].podRequest, self.viewers[place].podURL == url {
                return prepared
            }
            return self.prepared(url, place: place)
        case .registration:
            let machine = self.viewers[place].machine
            let registration = self.plan.registration(
                server: machine.registrationServer,
                now: self.plan.timebase.wall(MonotonicClock.now())
            )
            return PreparedRequest(
                .post,
                url: url,
                headers: self.viewers[place].headers,
                body: Array(registration.formBody().utf8)
            )
        case .multivariant, .podPlaylist, .metadata, .segment, .podSegment, .verification:
            return self.prepared(url, place: place)
        }
    }

    private func prepared(_ url: String, place: Int) -> PreparedRequest {
        PreparedRequest(url: url, headers: self.viewers[place].headers)
    }

    private func playlistRequest(url: String, place: Int) -> PreparedRequest {
        if let prepared = self.viewers[place].playlistRequest, self.viewers[place].playlistPlace >= 0 {
            return prepared
        }
        let request: PreparedRequest
        if self.identifiesViewers {
            request = self.prepared(url, place: place)
        } else if let shared = self.sharedRequests[url] {
            request = shared
        } else {
            request = self.prepared(url, place: place)
            if self.sharedRequests.count >= Self.keptRequests {
                self.sharedRequests.removeAll()
            }
            self.sharedRequests[url] = request
        }
        self.viewers[place].playlistRequest = request
        self.viewers[place].playlistPlace = self.playlists.place(of: url)
        return request
    }

    private func prepareBreak(
        _ scheduled: ScheduledBreak,
        _ identifier: PodIdentifier,
        podURL: String?,
        place: Int
    ) {
        if self.viewers[place].breakKey != scheduled.key {
            self.viewers[place].breakKey = scheduled.key
            self.viewers[place].breakSerial &+= 1
        }
        self.viewers[place].breakSlot = self.recorder.breakSlot(
            for: scheduled.key,
            start: scheduled.start.microseconds,
            durationMilliseconds: Int(scheduled.duration.nanosecondsHeld / 1_000_000)
        )
        self.viewers[place].podIdentifier = identifier.pathComponent
        self.viewers[place].podFingerprint = nil
        guard let podURL else { return }
        self.viewers[place].podURL = podURL
        self.viewers[place].podRequest = self.prepared(podURL, place: place)
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
        guard token.detail != ShardToken.join else {
            guard !self.isStopping else { return }
            self.deliver(.join, to: token.place, now: deadline)
            return
        }
        guard
            let timer = ViewerTimer(rawValue: token.detail),
            self.viewers[token.place].deadlines[Int(timer.rawValue)] == deadline
        else { return }
        self.viewers[token.place].deadlines[Int(timer.rawValue)] = 0
        self.deliver(.timer(timer), to: token.place, now: deadline)
    }
}
