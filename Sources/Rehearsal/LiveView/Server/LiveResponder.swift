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

    /// The final documents for which the server waits.
    private enum Final {
        case report
        case metrics
    }

    /// `final` is what was delivered once the answer is sent.
    private func page(at path: String) -> (answer: ServedAnswer, final: Final?) {
        switch path {
        case "/metrics" where servesMetrics:
            let final = feed.finalMetrics
            let text = ByteBuffer(string: final ?? feed.state?.prometheusText() ?? "")
            let answer = ServedAnswer(.ok, PrometheusExposition.contentType, text).forBrowsers()
            return (answer, final == nil ? nil : .metrics)
        case "/" where servesDashboard, "/report" where servesDashboard:
            if let report = feed.report { return (.page(report.utf8), .report) }
            guard path == "/" else { return (Self.text(.notFound, "The run goes on."), nil) }
            do {
                let sources = "connect-src 'self'; " + ServedAnswer.ofStoredPage
                return (.page(try feed.page.html().utf8, allowing: sources), nil)
            } catch {
                return (Self.text(.internalServerError, "The page cannot be made: \(error)"), nil)
            }
        case "/": return (Self.text(.ok, "podswarm: the metrics of this run are at /metrics"), nil)
        default: return (Self.text(.notFound, "There is nothing here."), nil)
        }
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> ServedAnswer {
        .text(status, text).forBrowsers()
    }

    /// Sends events until the run is over or the reader disconnects, which cancels the task.
    private func stream(_ turn: PageTurn) async throws {
        guard let page = feed.open() else {
            try await turn.refuse(.serviceUnavailable, "Too many pages are open.")
        }
        // The server does not wait for a closed page at the end.
        defer { feed.close(page) }
        var head = ServedAnswer(.ok, "text/event-stream; charset=utf-8", ByteBuffer()).forBrowsers()
        head.fields[.contentLength] = nil
        try await turn.begin(head)
        for await event in page.events { try await turn.write(event) }
        try await turn.end()
    }
}
