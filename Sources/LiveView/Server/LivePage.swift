import HTTPTypes
import NIOCore
import Report

/// One answer of the live server.
struct LivePage {
    enum Kind {
        case plain
        case metrics
        case events
        /// The page of a run under way, which asks for events.
        case dashboard
        case report
    }

    /// What readers are waited for to fetch.
    enum Final {
        case report
        case metrics
    }

    var answer: PageAnswer
    /// What nobody needs to ask for again once this was sent.
    var final: Final?

    init(_ kind: Kind, _ text: String, status: HTTPResponse.Status = .ok) {
        answer = PageAnswer(
            ByteBuffer(string: text),
            contentType: kind.contentType,
            allowing: kind.sources,
            status: status
        )
        if case .events = kind { answer.fields[.contentLength] = nil }
    }

    /// The page of a run under way.
    static func dashboard(_ report: LiveReport) -> LivePage {
        do {
            return LivePage(.dashboard, try report.html())
        } catch {
            return LivePage(.plain, "The page cannot be made: \(error)\n", status: .internalServerError)
        }
    }
}

extension LivePage.Kind {
    fileprivate var contentType: String {
        switch self {
        case .plain: "text/plain; charset=utf-8"
        case .metrics: PrometheusExposition.contentType
        case .events: "text/event-stream; charset=utf-8"
        case .dashboard, .report: PageAnswer.pageType
        }
    }

    /// Nothing from elsewhere, and no script but the page's own.
    fileprivate var sources: String {
        switch self {
        case .plain, .metrics, .events: ""
        case .dashboard: "connect-src 'self'; " + PageAnswer.ofStoredPage
        case .report: PageAnswer.ofStoredPage
        }
    }
}
