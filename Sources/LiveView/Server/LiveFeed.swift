import Foundation
import JSON
import NIOCore
import Report
import RunResult
import Synchronization

/// What the pages of one run are told, and who listens.
///
/// Bounded, whatever readers do: there are at most `pageLimit` of them, and for each the newest few events are kept.
final class LiveFeed: Sendable {
    static let pageLimit = 32
    private static let eventsKept = 4

    /// One reader of the feed.
    struct Page: Sendable {
        let number: Int
        /// Complete server-sent events; ends after the last one of the run.
        let events: AsyncStream<ByteBuffer>
    }

    /// A page is made anew at most this often as a share of what it takes: the measurement goes first.
    private static let restAfterPage = 10.0

    private struct Inner {
        var course = LiveCourse()
        var state: LiveState?
        /// Sections as every open page has them.
        var sections: [(anchor: String, html: String)] = []
        /// Pages are told nothing before, in seconds from the start of the run.
        var dueSeconds = -Double.infinity
        /// HTML of the whole report and the final metrics, once the run is over.
        var report: String?
        var finalMetrics: String?
        var pages: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
        var pagesOpened = 0
        /// Pages that were open when the run ended, and reports and metrics that went out since.
        var pagesAtEnd = 0
        var reportsSent = 0
        var finalScrapes = 0
    }

    private let inner = Mutex(Inner())

    /// The newest state; nil before the first.
    var state: LiveState? { inner.withLock { $0.state } }
    /// The run as its page shows it now.
    var page: LiveReport { inner.withLock { LiveReport($0.state, course: $0.course) } }
    /// HTML of the whole report; nil while the run goes.
    var report: String? { inner.withLock { $0.report } }
    /// The last metrics there will be; nil while the run goes.
    var finalMetrics: String? { inner.withLock { $0.finalMetrics } }

    /// Tells every page how the run stands.
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
                // A reader who was too slow for some events is told everything.
                if case .dropped = page.yield(event) { page.yield(Self.event("whole", inner.sections)) }
            }
            inner.dueSeconds = seconds + (ContinuousClock.now - begin) / .seconds(1) * Self.restAfterPage
        }
    }

    /// Tells every page that the run is over, which ends their events.
    func end(_ result: ResultDocument, report: String) {
        let pages = inner.withLock { inner in
            inner.state?.result = result
            inner.state?.progress.secondsLeft = 0
            inner.state?.progress.secondsToNextBreak = nil
            // Made once, so that the last scrape, which decides how long podswarm stays, is answered at once.
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

    /// Ends every page's events without a report: the run has failed to produce one.
    func close() {
        let pages = inner.withLock { inner in
            defer { inner.pages = [:] }
            return inner.pages.values
        }
        for page in pages { page.finish() }
    }

    /// A new reader, who is told the run so far first; nil where there are too many.
    func open() -> Page? {
        inner.withLock { inner in
            guard inner.pages.count < Self.pageLimit else { return nil }
            inner.pagesOpened += 1
            let number = inner.pagesOpened
            let (events, page) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingNewest(Self.eventsKept))
            if let state = inner.state {
                // Sections of pages that are open stay as those have them.
                if inner.pages.isEmpty { inner.sections = LiveReport(state, course: inner.course).sections }
                page.yield(Self.event("whole", inner.sections))
            } else {
                // Something at once, so that the page knows that it is heard.
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

    /// Counts a scrape that saw the final figures.
    func finalScrapeSent() { inner.withLock { $0.finalScrapes += 1 } }

    /// Whether every page that was open at the end has its report.
    var pagesAreServed: Bool { inner.withLock { $0.reportsSent >= $0.pagesAtEnd } }
    var isScrapedAfterEnd: Bool { inner.withLock { $0.finalScrapes > 0 } }

    /// Sections by anchor, and the anchors of all in their order.
    private struct Sections: Encodable {
        var order: [String]
        var html: [String: String]
    }

    private static let endEvent = ByteBuffer(string: "event: end\ndata: {}\n\n")

    /// One server-sent event: fields in lines, then an empty line; JSON without line feeds is one line.
    ///
    /// Source: HTML Living Standard, "Server-sent events", section "Parsing an event stream".
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
