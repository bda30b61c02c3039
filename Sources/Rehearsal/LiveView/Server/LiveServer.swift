import Glibc
import NIOCore
import NIOPosix
import Recording
package import Report
package import Results
import Transport

/// Serves a run while it goes on: metrics for Prometheus, and a page for users.
///
/// It has one thread of its own, with a lower priority than those of the load: the page may be late, the measurement must not.
package final class LiveServer: Sendable {
    private struct Sighting: Sendable {
        var seconds: Double
        var state: @Sendable () -> LiveState
    }

    private let loops: MultiThreadedEventLoopGroup
    private let feed: LiveFeed
    private let listeners: [PageListener]
    private let states: AsyncStream<Sighting>.Continuation
    private let publishing: Task<Void, Never>
    private let hasDashboard: Bool
    private let hasMetrics: Bool
    package let metricsURL: String?
    package let dashboardURL: String?

    /// Returns once connections are accepted.
    ///
    /// `metrics` and `dashboard` may be the same address; nil serves none.
    ///
    /// - Throws: `PageListener.CannotListen`, after which nothing is left open.
    package init(metrics: LiveAddress?, dashboard: LiveAddress?) async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let feed = LiveFeed()
        var listeners: [PageListener] = []
        do {
            for address in Set([metrics, dashboard].compactMap(\.self)).sorted(by: { $0.description < $1.description })
            {
                let responder = LiveResponder(
                    feed: feed,
                    servesMetrics: address == metrics,
                    servesDashboard: address == dashboard
                )
                listeners.append(
                    try await PageListener(address, on: loops, executor: LoopTaskExecutor(loops.next())) {
                        try await responder.respond(to: $0)
                    }
                )
            }
        } catch {
            await Self.close(listeners, loops)
            throw error
        }
        // Below the load's loops, which run at 0; a system that refuses keeps the default priority.
        loops.next().execute { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5) }
        let (stream, states) = AsyncStream<Sighting>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let forPages = dashboard != nil
        publishing = Task(executorPreference: LoopTaskExecutor(loops.next())) {
            for await sighting in stream {
                feed.publish(sighting.state(), at: sighting.seconds, forPages: forPages)
            }
        }
        self.loops = loops
        self.feed = feed
        self.listeners = listeners
        self.states = states
        hasDashboard = forPages
        hasMetrics = metrics != nil
        let url = { (address: LiveAddress?) in listeners.first { $0.address == address }?.url }
        metricsURL = url(metrics).map { $0 + "metrics" }
        dashboardURL = url(dashboard)
    }

    /// Publishes a state and returns at once; if states come too fast the newest is shown.
    ///
    /// `seconds` count from the start of the run on a monotonic clock. `state` is called on the server's own thread, if at all.
    package func publish(at seconds: Double, _ state: @escaping @Sendable () -> LiveState) {
        states.yield(Sighting(seconds: seconds, state: state))
    }

    /// Publishes the end of the run: pages turn into the report, metrics are final.
    ///
    /// `result` is that of the state published last; `report` is one HTML page.
    package func end(_ result: ResultDocument, report: String) async {
        states.finish()
        await publishing.value
        feed.end(result, report: report)
    }

    /// Documents that readers have not fetched yet.
    package var awaited: [String] {
        var awaited: [String] = []
        if hasDashboard, !feed.pagesAreServed { awaited.append("an open page") }
        if hasMetrics, !feed.isScrapedAfterEnd { awaited.append("a last scrape") }
        return awaited
    }

    /// Serves until every open page has the report and a scraper the final metrics, or time is up, or the user cancels.
    package func linger(atMost limit: Duration, unless isUnwanted: @Sendable () -> Bool) async {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while !awaited.isEmpty, clock.now < deadline, !isUnwanted() {
            try? await clock.sleep(for: .milliseconds(50))
        }
    }

    package func stop() async {
        states.finish()
        await publishing.value
        feed.close()
        await Self.close(listeners, loops)
    }

    private static func close(_ listeners: [PageListener], _ loops: MultiThreadedEventLoopGroup) async {
        for listener in listeners { await listener.stop() }
        try? await loops.shutdownGracefully()
    }
}
