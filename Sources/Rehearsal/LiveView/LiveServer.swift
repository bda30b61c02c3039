import Foundation
import Glibc
import HTTPTypes
import NIOCore
import NIOPosix
package import Report
package import Results
import Synchronization
import Transport
package import Values
import Viewer

/// One thread below the load's priority: the page may be late, the measurement must not.
package final class LiveServer: Sendable {
    private typealias Sighting = (seconds: Double, state: @Sendable () -> LiveState)

    private let loops: MultiThreadedEventLoopGroup
    private let feed: LiveFeed
    private let listeners: [HTTPListener]
    private let states: AsyncStream<Sighting>.Continuation
    private let publishing: Task<Void, Never>
    /// Longest wait for readers after the end.
    private let patience: Duration
    package let metricsURL: String?
    package let dashboardURL: String?

    /// Throws `CannotListen`, leaving nothing open; `metrics` and `dashboard` may be the same address.
    package init(metrics: ListeningAddress?, dashboard: ListeningAddress?, patience: Duration = .zero) async throws {
        self.patience = patience
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let feed = LiveFeed()
        var listeners: [HTTPListener] = []
        let executor = LoopTaskExecutor(loops.next())
        do {
            for address in Set([metrics, dashboard].compactMap(\.self)).sorted(by: { $0.description < $1.description })
            {
                listeners.append(
                    try await HTTPListener(.pages(at: address), on: loops, executor: executor) { request in
                        try await request.admit(at: address)
                        try await feed.respond(to: request, metrics: address == metrics, pages: address == dashboard)
                    }
                )
            }
        } catch {
            await Self.close(listeners, loops)
            throw error
        }
        // The load's loops run at 0; a system that refuses keeps the default priority.
        loops.next().execute { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5) }
        let (stream, states) = AsyncStream<Sighting>.makeStream(bufferingPolicy: .bufferingNewest(1))
        publishing = Task(executorPreference: executor) {
            for await sighting in stream { feed.publish(sighting.state(), at: sighting.seconds) }
        }
        (self.loops, self.feed, self.listeners, self.states) = (loops, feed, listeners, states)
        let url = { (address: ListeningAddress?) in listeners.first { $0.address == address }?.url }
        metricsURL = url(metrics).map { $0 + "metrics" }
        dashboardURL = url(dashboard)
    }

    /// If states come too fast only the newest is shown; `seconds` are from the run's start on a monotonic clock.
    ///
    /// `state` is called on the server's own thread, if at all.
    package func publish(at seconds: Double, _ state: @escaping @Sendable () -> LiveState) {
        states.yield((seconds, state))
    }

    /// `result` is that of the last state; `report` is one HTML page.
    package func end(_ result: ResultDocument, report: String) async {
        states.finish()
        await publishing.value
        feed.end(result, report: report)
    }

    /// Documents that readers have not fetched yet.
    package var awaited: [String] {
        var awaited: [String] = []
        let end = feed.end
        if dashboardURL != nil, end.map({ $0.pagesWaiting > 0 }) ?? false { awaited.append("an open page") }
        if metricsURL != nil, !(end?.isScraped ?? false) { awaited.append("a last scrape") }
        return awaited
    }

    /// Until readers have the final documents, time is up, or the user cancels.
    package func linger(atMost limit: Duration, unless isUnwanted: @Sendable () -> Bool) async {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while !awaited.isEmpty, clock.now < deadline, !isUnwanted() { try? await clock.sleep(for: .milliseconds(50)) }
    }

    package func stop() async {
        states.finish()
        await publishing.value
        feed.close()
        await Self.close(listeners, loops)
    }

    private static func close(_ listeners: [HTTPListener], _ loops: MultiThreadedEventLoopGroup) async {
        for listener in listeners { await listener.stop() }
        try? await loops.shutdownGracefully()
    }
}

extension LiveServer {
    /// The state is computed on the server's thread; the run copies what it changes meanwhile.
    ///
    /// `shards` is empty for an undivided run.
    func publish(_ progress: Report.Progress, of collector: RunCollector, shards: [LiveShard] = []) {
        publish(at: Double(collector.endMicroseconds) / 1_000_000) {
            LiveState(progress, of: collector, shards: shards)
        }
    }

    /// Serves on until readers have the end.
    package func end(_ document: ResultDocument, output: RunOutput, requests: RunRequests) async {
        let before = requests.end
        await end(document, report: Self.page(document))
        // An open page fetches its report at once.
        let moment = min(.seconds(1), patience)
        await linger(atMost: moment) { requests.end != before }
        let awaited = self.awaited
        if !awaited.isEmpty, patience > moment, requests.end == before {
            let limit = patience.formatted(.units(allowed: [.minutes, .seconds], width: .narrow))
            output.note("Waiting up to \(limit) for \(awaited.joined(separator: " and ")).")
            await linger(atMost: patience - moment) { requests.end != before }
        }
        await stop()
    }

    private static func page(_ document: ResultDocument) -> String {
        if let page = try? document.html() { return page }
        let text = document.text()
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<!doctype html><html lang=\"en\"><title>podswarm</title><pre>\(text)</pre></html>\n"
    }
}

extension ViewerMachine.Phase {
    static let words = allCases.map(\.words)

    private var words: String {
        switch self {
        case .waiting: "waiting"
        case .joining: "joining"
        case .watching: "watching"
        case .inBreak: "in a break"
        case .leaving: "leaving"
        case .gone: "gone"
        }
    }
}

/// At most `pageLimit` pages; for each the newest few events are kept.
final class LiveFeed: Sendable {
    static let pageLimit = 32
    private static let eventsKept = 4

    struct Page: Sendable {
        let number: Int
        let events: AsyncStream<ByteBuffer>
    }

    struct End: Sendable {
        var report: String
        /// Rendered once, so that the last scrape is answered at once.
        var metrics: String
        /// Pages open at the end, less the reports sent since.
        var pagesWaiting: Int
        var isScraped = false
    }

    /// Multiple of the rendering time: the measurement has priority.
    private static let restAfterPage = 10.0

    private struct Inner {
        var state: LiveState?
        var sections: [(anchor: String, html: String)] = []
        /// Seconds from the start of the run.
        var dueSeconds = -Double.infinity
        var end: End?
        var pages: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
        var pagesOpened = 0
    }

    private let inner = Mutex(Inner())

    var state: LiveState? { inner.withLock { $0.state } }
    var page: LiveReport { inner.withLock { LiveReport($0.state) } }
    var end: End? { inner.withLock { $0.end } }

    func change(_ change: (inout End) -> Void) {
        inner.withLock { inner in
            guard var end = inner.end else { return }
            change(&end)
            inner.end = end
        }
    }

    func publish(_ state: LiveState, at seconds: Double) {
        inner.withLock { inner in
            inner.state = state
            guard inner.end == nil, !inner.pages.isEmpty, seconds >= inner.dueSeconds else { return }
            let begin = ContinuousClock.now
            let known = Dictionary(inner.sections.map { ($0.anchor, $0.html) }) { first, _ in first }
            inner.sections = LiveReport(state).sections
            let event = Self.event("update", inner.sections) { known[$0.anchor] != $0.html }
            for page in inner.pages.values {
                // A page that dropped events gets everything.
                if case .dropped = page.yield(event) { page.yield(Self.event("whole", inner.sections)) }
            }
            inner.dueSeconds = seconds + (ContinuousClock.now - begin) / .seconds(1) * Self.restAfterPage
        }
    }

    func end(_ result: ResultDocument, report: String) {
        inner.withLock { inner in
            inner.state?.result = result
            inner.state?.progress.secondsLeft = 0
            inner.state?.progress.secondsToNextBreak = nil
            let metrics = inner.state?.prometheusText() ?? ""
            inner.end = End(report: report, metrics: metrics, pagesWaiting: inner.pages.count)
        }
        close(telling: Self.endEvent)
    }

    /// A run that failed to produce a report has no last event.
    func close(telling event: ByteBuffer? = nil) {
        let pages = inner.withLock { inner in
            defer { inner.pages = [:] }
            return inner.pages.values
        }
        for page in pages {
            if let event { page.yield(event) }
            page.finish()
        }
    }

    /// Nil beyond the limit.
    func open() -> Page? {
        inner.withLock { inner in
            guard inner.pages.count < Self.pageLimit else { return nil }
            inner.pagesOpened += 1
            let number = inner.pagesOpened
            let (events, page) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingNewest(Self.eventsKept))
            if let state = inner.state {
                // Open pages keep their sections.
                if inner.pages.isEmpty { inner.sections = LiveReport(state).sections }
                page.yield(Self.event("whole", inner.sections))
            } else {
                // A first event shows the page that it is connected.
                page.yield(ByteBuffer(string: ": welcome\n\n"))
            }
            if inner.end != nil {
                page.yield(Self.endEvent)
                page.finish()
            } else {
                inner.pages[number] = page
            }
            return Page(number: number, events: events)
        }
    }

    func close(_ page: Page) {
        let left = inner.withLock { $0.pages.removeValue(forKey: page.number) }
        left?.finish()
    }

    private struct Sections: Encodable {
        var order: [String]
        var html: [String: String]
    }

    private static let endEvent = ByteBuffer(string: "event: end\ndata: {}\n\n")

    /// HTML Living Standard, "Server-sent events", section "Parsing an event stream".
    private static func event(
        _ name: String,
        _ sections: [(anchor: String, html: String)],
        where isTold: ((anchor: String, html: String)) -> Bool = { _ in true }
    ) -> ByteBuffer {
        let told = Dictionary(sections.filter(isTold).map { ($0.anchor, $0.html) }) { first, _ in first }
        let sections = Sections(order: sections.map(\.anchor), html: told)
        guard let json = try? DocumentEncoding(.withoutEscapingSlashes).encode(sections) else {
            return ByteBuffer(string: ": lost\n\n")
        }
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(json)
        buffer.writeString("\n\n")
        return buffer
    }
}

extension LiveFeed {
    /// An error ends the connection.
    func respond(to request: ServedRequest, metrics: Bool, pages: Bool) async throws {
        let (head, start) = (request.head, ContinuousClock.now)
        let path = head.path.map { String($0.prefix { $0 != "?" }) } ?? "/"
        let isGet = head.method == .get
        switch path {
        case "/events" where pages && isGet: try await stream(request)
        case "/metrics" where metrics:
            let last = end?.metrics
            let text = ByteBuffer(string: last ?? state?.prometheusText() ?? "")
            try await request.deliver(ServedAnswer(.ok, PrometheusText.contentType, text).forBrowsers())
            if isGet, last != nil, .now - start < Self.scrapePatience(head.headerFields) {
                change { $0.isScraped = true }
            }
        case "/" where pages, "/report" where pages:
            guard let report = end?.report else { return try await request.deliver(unfinished(path)) }
            try await request.deliver(.page(report.utf8))
            if isGet { change { $0.pagesWaiting -= 1 } }
        case "/": try await request.deliver(Self.text(.ok, "podswarm: the metrics of this run are at /metrics"))
        default: try await request.deliver(Self.text(.notFound, "There is nothing here."))
        }
    }

    /// Half of the timeout in the scraper's header.
    private static func scrapePatience(_ fields: HTTPFields) -> Duration {
        let name = HTTPField.Name("X-Prometheus-Scrape-Timeout-Seconds")
        let seconds = name.flatMap { fields[$0] }.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } ?? 10
        return .seconds(min(max(seconds, 0), 3_600) / 2)
    }

    private func unfinished(_ path: String) -> ServedAnswer {
        guard path == "/" else { return Self.text(.notFound, "The run goes on.") }
        do {
            return .page(try page.html().utf8, allowing: "connect-src 'self'; " + ServedAnswer.ofStoredPage)
        } catch {
            return Self.text(.internalServerError, "The page cannot be made: \(error)")
        }
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> ServedAnswer {
        .text(status, text).forBrowsers()
    }

    /// Until the run is over or the reader disconnects.
    private func stream(_ request: ServedRequest) async throws {
        guard let page = open() else { try await request.refuse(.serviceUnavailable, "Too many pages are open.") }
        // The server does not wait for a closed page at the end.
        defer { close(page) }
        var answer = ServedAnswer(.ok, "text/event-stream; charset=utf-8", ByteBuffer()).forBrowsers()
        answer.fields[.contentLength] = nil
        // A reader that closes its side has disconnected.
        try await request.begin(answer.head, untilInputCloses: true)
        for await event in page.events { try await request.inTime { try await request.write(event) } }
        try await request.end()
    }
}
