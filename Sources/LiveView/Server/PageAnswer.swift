package import HTTPTypes
package import NIOCore

/// One answer to a browser, with what the browser may do with it: nothing is kept, and nothing comes from elsewhere.
package struct PageAnswer: Sendable {
    /// What a page that was made before may do: its own policy names its style and script by digest, and this one holds
    /// for pages that were altered, too.
    package static let ofStoredPage = "img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    /// The media type of pages.
    package static let pageType = "text/html; charset=utf-8"

    package var status: HTTPResponse.Status
    /// With its length, its type, and what a browser may do with it.
    package var fields: HTTPFields
    /// All of it; a request by HEAD is not sent it.
    package var body: ByteBuffer

    /// - Parameters:
    ///   - body: All of it.
    ///   - contentType: Its media type.
    ///   - sources: Directives of a content security policy that allow what is needed, each ended by `; `.
    ///   - status: Of the answer.
    package init(
        _ body: ByteBuffer,
        contentType: String,
        allowing sources: String = "",
        status: HTTPResponse.Status = .ok
    ) {
        self.status = status
        self.body = body
        fields = [
            .contentType: contentType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy:
                "default-src 'none'; \(sources)base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .crossOriginResourcePolicy: "same-origin", .contentLength: String(body.readableBytes),
        ]
    }

    /// A sentence for whoever reads it.
    package static func plain(_ text: String, status: HTTPResponse.Status = .ok) -> PageAnswer {
        PageAnswer(ByteBuffer(string: text), contentType: "text/plain; charset=utf-8", status: status)
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}
