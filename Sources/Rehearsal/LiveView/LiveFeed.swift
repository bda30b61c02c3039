import Foundation
import NIOCore
import Report
import Results
import Synchronization
import Values

/// At most `pageLimit` pages; for each the newest few events are kept.
final class LiveFeed: Sendable {
    static let pageLimit = 32
    private static let eventsKept = 4

    struct Page: Sendable {
        let number: Int
        let events: AsyncStream<ByteBuffer>
    }

    /// Multiple of the rendering time: the measurement has priority.
    private static let restAfterPage = 10.0

    private struct Inner {
        var course = LiveCourse()
        var state: LiveState?
        var sections: [(anchor: String, html: String)] = []
        /// Seconds from the start of the run.
        var dueSeconds = -Double.infinity
        var report: String?
        var finalMetrics: String?
        var pages: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
        var pagesOpened = 0
        /// Pages open at the end; documents sent since.
        var pagesAtEnd = 0
        var reportsSent = 0
        var finalScrapes = 0
    }

    private let inner = Mutex(Inner())

    var state: LiveState? { inner.withLock { $0.state } }
    var page: LiveReport { inner.withLock { LiveReport($0.state, course: $0.course) } }
    var report: String? { inner.withLock { $0.report } }
    var finalMetrics: String? { inner.withLock { $0.finalMetrics } }

    func publish(_ state: LiveState, at seconds: Double, forPages: Bool) {
        inner.withLock { inner in
            inner.state = state
            guard forPages, inner.report == nil else { return }
            inner.course.take(state.totals, at: seconds)
            guard !inner.pages.isEmpty, seconds >= inner.dueSeconds else { return }
            let begin = ContinuousClock.now
            let known = Dictionary(inner.sections.map { ($0.anchor, $0.html) }) { first, _ in first }
            inner.sections = LiveReport(state, course: inner.course).sections
            let event = Self.event("update", inner.sections) { known[$0.anchor] != $0.html }
            for page in inner.pages.values {
                // A page that dropped events gets everything.
                if case .dropped = page.yield(event) { page.yield(Self.event("whole", inner.sections)) }
            }
            inner.dueSeconds = seconds + (ContinuousClock.now - begin) / .seconds(1) * Self.restAfterPage
        }
    }

    func end(_ result: ResultDocument, report: String) {
        let pages = inner.withLock { inner in
            inner.state?.result = result
            inner.state?.progress.secondsLeft = 0
            inner.state?.progress.secondsToNextBreak = nil
            // Rendered once, so that the last scrape is answered at once.
            inner.finalMetrics = inner.state?.prometheusText() ?? ""
            inner.report = report
            inner.pagesAtEnd = inner.pages.count
            defer { inner.pages = [:] }
            return inner.pages.values
        }
        for page in pages {
            page.yield(Self.endEvent)
            page.finish()
        }
    }

    /// The run failed to produce a report.
    func close() {
        let pages = inner.withLock { inner in
            defer { inner.pages = [:] }
            return inner.pages.values
        }
        for page in pages { page.finish() }
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
                if inner.pages.isEmpty { inner.sections = LiveReport(state, course: inner.course).sections }
                page.yield(Self.event("whole", inner.sections))
            } else {
                // A first event shows the page that it is connected.
                page.yield(ByteBuffer(string: ": welcome\n\n"))
            }
            if inner.report != nil {
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

    func reportSent() { inner.withLock { $0.reportsSent += 1 } }

    func finalScrapeSent() { inner.withLock { $0.finalScrapes += 1 } }

    var pagesAreServed: Bool { inner.withLock { $0.reportsSent >= $0.pagesAtEnd } }
    var isScrapedAfterEnd: Bool { inner.withLock { $0.finalScrapes > 0 } }

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
