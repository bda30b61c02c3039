import HTTPServing
import HTTPTypes
import NIOCore
import Report

/// Ends a connection on purpose, after what was to be said has been said.
private struct DeliberateClose: Error {}

/// Answers the requests of one listener.
struct LiveResponder: Sendable {
    /// A reader that takes nothing for this long is let go.
    private static let writePatience = TimeAmount.seconds(10)

    let feed: LiveFeed
    let hosts: HostPolicy
    let servesMetrics: Bool
    let servesDashboard: Bool

    /// Answers one request; throws only to end its connection.
    func respond(to request: ServedRequest) async throws {
        let (head, connection) = (request.head, request.connection)
        guard !Self.hasBody(head.headerFields) else {
            return try await refuse(.contentTooLarge, "No request here has a body.\n", request)
        }
        guard head.method == .get || head.method == .head else {
            return try await refuse(.methodNotAllowed, "GET or HEAD only.\n", request)
        }
        guard hosts.allows(head.authority) else {
            let text = "This name is not one that podswarm serves at; use the address, or give the name to podswarm.\n"
            return try await refuse(.misdirectedRequest, text, request)
        }
        let path = head.path.map { String($0.prefix { $0 != "?" }) } ?? "/"
        if path == "/events", servesDashboard, head.method == .get { return try await stream(request) }
        let start = ContinuousClock.now
        let page = page(at: path)
        let patience = Self.patience(with: connection)
        defer { patience.cancel() }
        try await request.deliver(page.head, page.body)
        guard head.method == .get else { return }
        switch page.final {
        case .report: feed.reportSent()
        case .metrics where .now - start < Self.scrapePatience(head.headerFields): feed.finalScrapeSent()
        case .metrics: break
        case nil: break
        }
    }

    /// How long an answer may take before its scraper gives up: half of the time that a Prometheus says it waits.
    private static func scrapePatience(_ fields: HTTPFields) -> Duration {
        let name = HTTPField.Name("X-Prometheus-Scrape-Timeout-Seconds")
        let seconds = name.flatMap { fields[$0] }.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } ?? 10
        return .seconds(min(max(seconds, 0), 3_600) / 2)
    }

    private static func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }

    private func refuse(_ status: HTTPResponse.Status, _ text: String, _ request: ServedRequest) async throws {
        var page = LivePage(.plain, text, status: status)
        page.fields[.connection] = "close"
        if status == .methodNotAllowed { page.fields[.allow] = "GET, HEAD" }
        let patience = Self.patience(with: request.connection)
        defer { patience.cancel() }
        try await request.deliver(page.head, page.body)
        // What else the client sends is not read.
        throw DeliberateClose()
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
            return path == "/" ? .dashboard(feed.state) : LivePage(.plain, "The run goes on.\n", status: .notFound)
        case "/":
            return LivePage(.plain, "podswarm: the metrics of this run are at /metrics\n")
        default:
            return LivePage(.plain, "There is nothing here.\n", status: .notFound)
        }
    }

    /// Sends events until the run is over or the reader goes away, which cancels the task.
    private func stream(_ request: ServedRequest) async throws {
        guard let page = feed.open() else {
            return try await refuse(.serviceUnavailable, "Too many pages are open.\n", request)
        }
        // A page that was closed is not waited for at the end.
        defer { feed.close(page) }
        try await request.begin(LivePage(.events, "").head, untilInputCloses: true)
        for await event in page.events {
            let patience = Self.patience(with: request.connection)
            defer { patience.cancel() }
            try await request.write(event)
        }
        try await request.end()
    }

    /// Closes the connection unless it is cancelled in time.
    private static func patience(with connection: any Channel) -> Scheduled<Void> {
        connection.eventLoop.scheduleTask(in: writePatience) { connection.close(promise: nil) }
    }
}
