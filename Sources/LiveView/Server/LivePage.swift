import HTTPTypes
import NIOCore
import Report

/// One answer of the live server.
struct LivePage {
    enum Kind {
        case plain
        case metrics
        case events
        /// The page of a run under way; its script and style carry the nonce.
        case dashboard(nonce: String)
        case report
    }

    /// What readers are waited for to fetch.
    enum Final {
        case report
        case metrics
    }

    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: ByteBuffer
    /// What nobody needs to ask for again once this was sent.
    var final: Final?

    init(_ kind: Kind, _ text: String, status: HTTPResponse.Status = .ok) {
        self.status = status
        body = ByteBuffer(string: text)
        fields = [
            .contentType: kind.contentType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: kind.contentSecurityPolicy, .crossOriginResourcePolicy: "same-origin",
        ]
        if case .events = kind { return }
        fields[.contentLength] = String(body.readableBytes)
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }

    /// The page of a run under way.
    ///
    /// - Parameter state: The run; nil before its first second.
    /// - Returns: The answer, whose policy knows its script.
    static func dashboard(_ state: LiveState?) -> LivePage {
        let nonce = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        let page = DashboardPage(
            profile: state?.profile ?? "",
            target: state?.target ?? "",
            labels: state?.labels ?? [:],
            nonce: nonce
        )
        do {
            return LivePage(.dashboard(nonce: nonce), try page.render())
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
        case .dashboard, .report: "text/html; charset=utf-8"
        }
    }

    /// Nothing from elsewhere, and no script but the page's own.
    fileprivate var contentSecurityPolicy: String {
        let common = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return switch self {
        case .plain, .metrics, .events: "default-src 'none'; \(common)"
        case .dashboard(let nonce):
            "default-src 'none'; connect-src 'self'; img-src data:; script-src 'nonce-\(nonce)'; "
                + "style-src 'nonce-\(nonce)'; \(common)"
        case .report:
            "default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \(common)"
        }
    }
}
