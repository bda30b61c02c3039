import HTTPTypes
import NIOCore
import Report

struct LivePage {
    enum Kind {
        case plain
        case metrics
        case events
        case dashboard
        case report
    }

    /// The final documents for which the server waits.
    enum Final {
        case report
        case metrics
    }

    var answer: PageAnswer
    /// The final document that was delivered once this answer is sent.
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

    /// Allows nothing from elsewhere, and only the page's own script.
    fileprivate var sources: String {
        switch self {
        case .plain, .metrics, .events: ""
        case .dashboard: "connect-src 'self'; " + PageAnswer.ofStoredPage
        case .report: PageAnswer.ofStoredPage
        }
    }
}
