import HLS
import Profile
import Results
import Swarm
import Transport
import Values
import Viewer

/// A whole run against a channel without breaks.
enum IdleAudience {
    static func measure(_ order: EngineOrder) async throws -> EngineReport {
        let plan = try plan(order)
        guard case .podServing(let target) = plan.target else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "its profile names no target")
        }
        var report = EngineReport()
        report.residentBytesBefore = ProcessUsage.now().residentBytes
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
        HeapMemory.giveBack()
        report.keptBytes = ProcessUsage.now().residentBytes
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
        // Profiles refuse http2 over libcurl, which asks for it by ALPN only.
        let http2 = order.carriers == .curl ? "http2-or-http1" : "http2"
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
              protocol: \(order.scheme.isHTTP2 ? http2 : "http1")
              transport: \(order.carriers.rawValue)
              caFile: "\(order.caFile)"
            generator: {loops: 1}
            """
        return try ProfileReader().read(yaml: profile, path: "idle.yaml")
    }
}
