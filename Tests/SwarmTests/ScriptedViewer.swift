import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// A viewer machine on a fake clock, driven by hand: time moves only when a test says so.
struct ScriptedViewer {
    static let start = Instant(nanoseconds: 1_000_000_000_000)
    /// 2026-11-21T20:00:00Z, a whole minute.
    static let wallStart = WallTime(microseconds: 1_795_291_200_000_000)

    let plan: ViewerPlan
    var machine: ViewerMachine
    private(set) var now = Self.start
    private(set) var timers: [ViewerTimer: Instant] = [:]
    /// Requests without an answer, in the order they were made.
    private(set) var open: [Request] = []
    private(set) var notes: [ViewerNote] = []
    /// The request of a break that was taken last.
    private var taken: Request?
    private(set) var scheduled: [(ScheduledBreak, PodIdentifier, String?)] = []
    /// When a connection was to be opened ahead.
    private(set) var warmed: [Instant] = []
    private(set) var isGone = false
    /// When the person opens the application again that it closed; the distant future: never.
    ///
    /// Nil while it is open.
    private(set) var reopensAt: Instant?
    /// Notes about breaks of the channel, each with the break's key.
    private(set) var eventNotes: [(String, ViewerNote)] = []

    struct Request: Equatable {
        let role: ViewerRole
        let url: String
        let plannedAt: Instant
        /// Which rendition's or asset's, as the request's token says.
        var index: UInt8 = 0
        /// Of the break that it belongs to; 0 for none.
        var serial: UInt16 = 0
    }

    init(
        _ plan: LoadPlan = .forTests(),
        number: Int = 0,
        adServers: [String] = ["http://127.0.0.1:8080", "http://127.0.0.2:8080"]
    ) {
        let timebase = Timebase(start: Self.start, wallStart: Self.wallStart)
        let endpoints = TargetEndpoints(
            contentURL: "http://127.0.0.1:8080/live/main/multivariant.m3u8",
            adServers: adServers,
            session: plan.session,
            identifiesViewers: false,
            adapter: TargetAdapter(plan.target) ?? .podServing
        )
        self.plan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        machine = ViewerMachine(number: number, plan: self.plan)
    }

    /// A turn now, for what is asked of a part directly.
    var turn: Turn {
        Turn(
            now: now,
            number: machine.number,
            plan: plan,
            personaIndex: machine.personaIndex,
            chance: ViewerChance(seed: plan.seed, viewer: machine.number)
        )
    }

    /// Seconds since the start of the run.
    var seconds: Double { Double(now.nanoseconds(since: Self.start)) / 1e9 }

    mutating func send(_ event: ViewerEvent, handling: Duration = .zero) {
        var actions: [ViewerAction] = []
        machine.handle(event, now: now, handling: handling.nanosecondsHeld, actions: &actions)
        for action in actions {
            switch action {
            case .fetch(let role, let url, let plannedAt, let index, let serial):
                open.append(
                    Request(
                        role: role,
                        url: url,
                        plannedAt: plannedAt,
                        index: index,
                        serial: serial
                    )
                )
            case .poll(let plannedAt):
                let request = Request(
                    role: .playlist,
                    url: machine.playlistURL,
                    plannedAt: plannedAt,
                    index: machine.requestIndex(of: .video)
                )
                open.append(request)
            case .schedule(let timer, let at): timers[timer] = at
            case .cancel(let timer): timers[timer] = nil
            case .breakScheduled(let planned):
                scheduled.append((planned.scheduled, planned.identifier, nil))
            case .preparePod(let url): scheduled[scheduled.count - 1].2 = url
            case .warm: warmed.append(now)
            case .note(let note, of: nil): notes.append(note)
            case .note(let note, of: .some(let planned)): keep(note, of: planned)
            case .abandon(let instant): reopensAt = instant
            case .gone: isGone = true
            }
        }
    }

    private mutating func keep(_ note: ViewerNote, of planned: PlannedBreak) {
        switch note {
        case .adEvent: notes.append(note)
        case .breakDiscovered: eventNotes.append((planned.scheduled.key, note))
        case _ where planned.isOwn: notes.append(note)
        default: eventNotes.append((planned.scheduled.key, note))
        }
    }

    /// Moves the clock, firing each timer at its deadline.
    mutating func advance(seconds: Double) {
        let end = now.later(by: Int64(seconds * 1e9))
        var fired = 0
        while let next = timers.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }),
            next.value <= end
        {
            fired += 1
            guard fired < 10_000 else {
                Issue.record("timers fire without end: \(next.key)")
                break
            }
            timers[next.key] = nil
            now = max(now, next.value)
            send(.timer(next.key))
        }
        now = end
    }

    /// Takes the oldest open request of a role; its answer is what the test sends next.
    @discardableResult
    mutating func take(_ role: ViewerRole) -> String? {
        guard let index = open.firstIndex(where: { $0.role == role }) else { return nil }
        let request = open.remove(at: index)
        if request.serial != 0 { taken = request }
        return request.url
    }

    /// Answers the request of a break that was taken last.
    ///
    /// The answer had lain in its socket for `handling` by now.
    mutating func answer(_ content: BreakAnswer.Content, handling: Duration = .zero) {
        guard let taken else {
            Issue.record("no request of a break was taken")
            return
        }
        answer(content, to: taken, handling: handling)
    }

    mutating func answer(_ content: BreakAnswer.Content, to request: Request, handling: Duration = .zero) {
        let answer = BreakAnswer(request.role, serial: request.serial, index: request.index, content)
        send(.breakAnswered(answer), handling: handling)
    }

    /// Takes an open request by its place, for answers that come in any order.
    mutating func take(at index: Int) -> Request { open.remove(at: index) }

    /// True where the break that a request belongs to is over.
    func isSuperseded(_ request: Request) -> Bool {
        request.role.belongsToBreak && machine.facts.subject(ofSerial: request.serial) == nil
    }

    func counted(_ counter: ViewerCounter) -> Int { notes.count { $0 == .counted(counter) } }

    func count(_ role: ViewerRole) -> Int { open.count { $0.role == role } }

    /// Joins, registers and shows the first playlist, all at once.
    mutating func startWatching(registers: Bool = true) throws {
        send(.join)
        take(.registration)
        if registers {
            send(.registered(try .forTests))
        } else {
            send(.registrationFailed(status: 403))
        }
        take(.multivariant)
        send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try answerPlaylist()
    }

    mutating func answerPlaylist(version: Int = 1) throws {
        let request = try #require(open.first { $0.role == .playlist })
        take(.playlist)
        send(.playlist(try .forTests(version: version), plannedAt: request.plannedAt))
    }

    /// Answers all polls that come up while time passes, so that a broadcast can run for a while.
    mutating func watch(seconds: Double) throws {
        let end = self.seconds + seconds
        while self.seconds < end {
            advance(seconds: min(0.25, end - self.seconds))
            while count(.playlist) > 0 {
                try answerPlaylist(version: 2 + Int(self.seconds / 2))
            }
            while take(.metadata) != nil {
                send(.metadata(nil))
            }
            while take(.verification) != nil {
                send(.pingAnswered)
            }
        }
    }

    /// Answers the pod request with a pod of two ads of five seconds.
    mutating func answerPod(durationsMilliseconds: [Int] = [5000, 5000]) throws {
        take(.podManifest)
        let url = "http://127.0.0.1:8080/pod.m3u8"
        answer(.media(LoadedPod(try .pod(durationsMilliseconds), url: url)))
    }

    var adEvents: [TrackingEvent] {
        notes.compactMap {
            guard case .adEvent(let event) = $0 else { return nil }
            return event
        }
    }

    /// Notes about the outcome of breaks, in order.
    var outcomes: [ViewerNote] {
        notes.filter {
            switch $0 {
            case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped: true
            case .counted, .added, .adEvent, .podInHand, .breakFilled, .breakDiscovered, .stitchedObserved: false
            case .finding, .deltaMismatched, .shutOut: false
            }
        }
        .map(\.withoutInstant)
    }
}

extension ViewerMachine {
    /// Takes another variant while everything that was asked for is still out; what is asked for then goes nowhere.
    mutating func switchVariant(now: Instant, _ plan: ViewerPlan) {
        let chance = ViewerChance(seed: plan.seed, viewer: number)
        var turn = Turn(now: now, number: number, plan: plan, personaIndex: personaIndex, chance: chance)
        let hasSwitched = playback.switchVariant(turn: &turn)
        #expect(hasSwitched)
    }
}

extension ViewerNote {
    static func breakOnTime(afterStart: Int64) -> ViewerNote { .breakOnTime(afterStart: afterStart, inHandAt: .zero) }

    static func breakLate(by lateness: Int64) -> ViewerNote { .breakLate(by: lateness, inHandAt: .zero) }

    /// What it says of a break's punctuality, for tests to which the moment itself says nothing.
    var withoutInstant: ViewerNote {
        switch self {
        case .breakOnTime(let afterStart, _): .breakOnTime(afterStart: afterStart)
        case .breakLate(let lateness, _): .breakLate(by: lateness)
        default: self
        }
    }
}

extension ViewerEvent {
    /// A segment of the channel that came.
    static var segmentFinished: ViewerEvent { .mediaFinished(index: 0, failure: nil) }

    static func multivariant(_ playlist: MultivariantPlaylist, url: String) -> ViewerEvent {
        .multivariant(SharedMultivariant(playlist, url: url))
    }
}

extension StreamSession {
    static var forTests: StreamSession {
        get throws {
            let json = """
                {"stream_id":"00000000-0000-4000-8000-000000000001:TUL","valid_for":"8h0m0s","polling_frequency":10,
                "metadata_url":"http://127.0.0.1:8080/metadata",
                "media_verification_url":"http://127.0.0.1:8080/verify/"}
                """
            var bytes = Array(json.utf8)
            return try bytes.withUnsafeMutableBytes { try StreamSession(json: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension MultivariantPlaylist {
    static func forTests() throws -> MultivariantPlaylist {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=800000
            v0/media.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=400000
            v1/media.m3u8

            """
        guard case .multivariant(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not multivariant")
        }
        return playlist
    }
}

extension MediaPlaylist {
    static func parsed(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: text) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not a media playlist")
        }
        return playlist
    }

    /// A pod with one segment for each ad, each ad a discontinuity period of its own.
    static func pod(_ durationsMilliseconds: [Int]) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for (index, duration) in durationsMilliseconds.enumerated() {
            text += index == 0 ? "" : "#EXT-X-DISCONTINUITY\n"
            text += "#EXTINF:\(Double(duration) / 1000),\nad\(index).m4s\n"
        }
        return try .parsed(text + "#EXT-X-ENDLIST\n")
    }
}

extension SharedPlaylist {
    /// A live playlist of 2 s segments, sliding by one with each version.
    static func forTests(version: Int, announced: [ScheduledBreak] = []) throws -> SharedPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(100 + version)\n"
        for index in 0..<6 {
            text += "#EXTINF:2,\n\(100 + version + index).m4s\n"
        }
        return SharedPlaylist(
            version: version,
            playlist: try .parsed(text),
            announced: announced,
            url: "http://127.0.0.1:8080/live/main/v0/media.m3u8"
        )
    }
}

extension ViewerRole {
    /// True for the requests that bring a break's pod.
    fileprivate var belongsToBreak: Bool {
        switch self {
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment: true
        case .assetList, .assetManifest: true
        case .registration, .multivariant, .playlist, .segment, .metadata, .verification: false
        case .beacon, .blockingPlaylist, .part, .steering, .sessionUpdate: false
        }
    }
}
