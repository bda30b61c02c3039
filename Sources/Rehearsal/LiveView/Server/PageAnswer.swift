package import HTTPTypes
package import NIOCore

/// One answer to a browser, with its restrictions: no caching, and no content from elsewhere.
package struct PageAnswer: Sendable {
    /// Permissions of a stored page.
    ///
    /// The page's own policy names its style and script by digest; this one also covers altered pages.
    package static let ofStoredPage = "img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    package static let pageType = "text/html; charset=utf-8"

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    /// The whole body; omitted for HEAD.
    package var body: ByteBuffer

    /// `sources` are directives of a content security policy that allow what the page needs, each ended by `; `.
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

    package static func plain(_ text: String, status: HTTPResponse.Status = .ok) -> PageAnswer {
        PageAnswer(ByteBuffer(string: text), contentType: "text/plain; charset=utf-8", status: status)
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}
