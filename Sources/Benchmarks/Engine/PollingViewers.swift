import Audit
import HLS
import Profile
import Results
import Rules
import Swarm
import Transport
import Values
import Viewer

/// Viewers with a connection each, which parse every answer.
///
/// Confined to its loop, hence without exclusivity checks.
final class PollingViewers: TransferHandler {
    let loop: EventLoop
    let count: Int
    let transport: HTTPTransport
    @exclusivity(unchecked) private(set) var owners: ContiguousArray<ConnectionOwner> = []
    @exclusivity(unchecked) var report = EngineReport()
    private let request: PreparedRequest
    private let reader: PlaylistReader
    /// nil while connections are made.
    @exclusivity(unchecked) private var workload: (any EngineWorkload)?
    private var next: (any EngineWorkload)?
    private var done: ((EngineReport) -> Void)?
    private var joined = 0
    private var connected = 0

    /// Connections being opened at once.
    private static let ramp = 64

    init(_ order: EngineOrder, loop: EventLoop) throws {
        self.loop = loop
        count = order.viewers
        var configuration = TransportConfiguration()
        configuration.caFile = order.caFile
        configuration.httpVersion = order.scheme == .http2 ? .http2 : .http1
        transport = try HTTPTransport(loop: loop, configuration: configuration, expectedOwners: order.viewers)
        request = PreparedRequest(url: order.url)
        reader = PlaylistReader(url: order.url, viewers: order.viewers)
        transport.handler = self
        owners.reserveCapacity(count)
        for _ in 0..<count { owners.append(transport.makeOwner()) }
    }

    func connect(then next: any EngineWorkload, done: @escaping (EngineReport) -> Void) {
        (self.next, self.done) = (next, done)
        for _ in 0..<min(Self.ramp, count) { join() }
    }

    private func join() {
        guard joined < count else { return }
        ask(joined, plannedAt: MonotonicClock.now())
        joined += 1
    }

    func ask(_ viewer: Int, plannedAt: Instant) {
        transport.start(TransferRequest(request, owner: owners[viewer], plannedAt: plannedAt, token: UInt64(viewer)))
    }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let viewer = Int(token)
        guard reader.read(result, viewer: viewer) else {
            report.failures += 1
            // A benchmark with failures measures something else.
            end()
            return
        }
        report.requests += 1
        if let workload {
            workload.answered(viewer: viewer, plannedAt: result.plannedAt, sentAt: result.sentAt, doneAt: result.doneAt)
        } else {
            connected += 1
            connected == count ? allConnected() : join()
        }
    }

    private func allConnected() {
        workload = next
        next = nil
        workload?.begin()
    }

    func end() {
        guard let done else { return }
        self.done = nil
        // Receives answers until the transport is closed.
        transport.shutDown { [self] in
            workload = nil
            done(report)
        }
    }
}

/// Handles answers with the parts that podswarm's viewers use.
///
/// Confined to a loop, hence without exclusivity checks.
final class PlaylistReader {
    private let playlists = PlaylistLibrary(
        announcements: AnnouncedBreaks(classAttribute: nil, fallbackDuration: .seconds(30))
    )
    private let recorder = LoopRecorder()
    private let playlist: KnownPlaylist
    @exclusivity(unchecked) private var latest: ContiguousArray<SharedPlaylist?>
    /// Sum of reload delays, so that the compiler keeps the computation.
    @exclusivity(unchecked) private(set) var reloadNanoseconds: Int64 = 0

    init(url: String, viewers: Int) {
        playlist = playlists.use(url)
        latest = ContiguousArray(repeating: nil, count: viewers)
    }

    var parsed: Int { playlists.parsed }

    func read(_ result: borrowing TransferResult, viewer: Int) -> Bool {
        recorder.record(RequestSample(result, kind: .playlist))
        guard result.isSuccess else { return false }
        return read(result.body, viewer: viewer)
    }

    func read(_ body: UnsafeRawBufferPointer, viewer: Int) -> Bool {
        guard let shared = try? playlists.media(body, of: playlist) else { return false }
        let isNews = shared.isNews(after: latest[viewer])
        latest[viewer] = shared
        reloadNanoseconds &+= shared.reloadDelay(.usual, isNews: isNews, isNearEdge: false) ?? 0
        return true
    }
}

/// A whole run against a channel without breaks.
enum IdleAudience {
    static func measure(_ order: EngineOrder) async throws -> EngineReport {
        let plan = try plan(order)
        guard case .podServing(let target) = plan.target else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "its profile names no target")
        }
        var report = EngineReport()
        let run = try await SwarmRun(
            plan,
            endpoints: TargetEndpoints(
                contentURL: target.contentURL,
                adServers: [target.adServer],
                session: target.session,
                identifiesViewers: false
            ),
            authorisedHosts: AuthorisedHosts(target.authorisedHosts),
            timebase: Timebase(
                start: MonotonicClock.now().later(by: .milliseconds(500)),
                wallStart: WallTime(microseconds: MonotonicClock.wallMicroseconds() + 500_000)
            )
        )
        try await watch(run, order, &report)
        report.residentBytes = ProcessUsage.now().residentBytes
        await run.stop()
        await run.shutDown()
        return report
    }

    /// Returns after some playlist versions; throws on timeout.
    private static func watch(_ run: SwarmRun, _ order: EngineOrder, _ report: inout EngineReport) async throws {
        var secondsToWatch = 3 * LivePlaylist.targetSeconds
        for _ in 0..<60 + order.viewers / 200 where secondsToWatch > 0 {
            try await Task.sleep(for: .seconds(1))
            let pulse = await run.pulse()
            report.requests += Int(clamping: pulse.counts.requests)
            report.failures += Int(clamping: pulse.counts.errors)
            if pulse.viewers(.watching) == order.viewers { secondsToWatch -= 1 }
        }
        guard secondsToWatch == 0 else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "not all of its viewers came to watch")
        }
    }

    private static func plan(_ order: EngineOrder) throws -> LoadPlan {
        let perSecond = order.scheme.isSecure ? 500 : 2500
        let profile = """
            name: idle
            duration: 1h
            target:
              podServing:
                contentURL: \(order.url)
                adServer: \(order.origin)
                authorisedHosts: [127.0.0.1]
                networkCode: "1"
                customAssetKey: benchmark
            audience: {viewers: \(order.viewers), ramp: \(order.viewers / perSecond + 1)s}
            playback: {segments: none, metadata: false}
            breaks: {source: dateRange}
            connection:
              protocol: \(order.scheme == .http2 ? "http2" : "http1")
              caFile: "\(order.caFile)"
            generator: {loops: 1}
            """
        return try ProfileReader().read(yaml: profile, path: "idle.yaml")
    }
}
