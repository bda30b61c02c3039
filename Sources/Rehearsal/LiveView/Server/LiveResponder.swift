import HTTPTypes
import NIOCore
import Report

struct LiveResponder: Sendable {
    let feed: LiveFeed
    let servesMetrics: Bool
    let servesDashboard: Bool

    /// An error ends the connection.
    func respond(to turn: PageTurn) async throws {
        let head = turn.head
        let path = head.path.map { String($0.prefix { $0 != "?" }) } ?? "/"
        if path == "/events", servesDashboard, head.method == .get { return try await stream(turn) }
        let start = ContinuousClock.now
        let page = page(at: path)
        try await turn.deliver(page.answer)
        guard head.method == .get else { return }
        switch page.final {
        case .report: feed.reportSent()
        case .metrics where .now - start < Self.scrapePatience(head.headerFields): feed.finalScrapeSent()
        case .metrics: break
        case nil: break
        }
    }

    /// Longest time for an answer to count as delivered: half of the timeout in the scraper's header.
    private static func scrapePatience(_ fields: HTTPFields) -> Duration {
        let name = HTTPField.Name("X-Prometheus-Scrape-Timeout-Seconds")
        let seconds = name.flatMap { fields[$0] }.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } ?? 10
        return .seconds(min(max(seconds, 0), 3_600) / 2)
    }

    private func page(at path: String) -> LivePage {
        switch path {
        case "/metrics" where servesMetrics:
            guard let final = feed.finalMetrics else {
                return LivePage(.metrics, feed.state?.prometheusText() ?? "")
            }
            var page = LivePage(.metrics, final)
            page.final = .metrics
            return page
        case "/" where servesDashboard, "/report" where servesDashboard:
            if let report = feed.report {
                var page = LivePage(.report, report)
                page.final = .report
                return page
            }
            return path == "/" ? .dashboard(feed.page) : LivePage(.plain, "The run goes on.\n", status: .notFound)
        case "/":
            return LivePage(.plain, "podswarm: the metrics of this run are at /metrics\n")
        default:
            return LivePage(.plain, "There is nothing here.\n", status: .notFound)
        }
    }

    /// Sends events until the run is over or the reader disconnects, which cancels the task.
    private func stream(_ turn: PageTurn) async throws {
        guard let page = feed.open() else {
            try await turn.refuse(.serviceUnavailable, "Too many pages are open.\n")
        }
        // The server does not wait for a closed page at the end.
        defer { feed.close(page) }
        try await turn.begin(LivePage(.events, "").answer)
        for await event in page.events { try await turn.write(event) }
        try await turn.end()
    }
}
