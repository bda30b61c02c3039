/// A request made ready once, so that sending it allocates nothing on our side.
///
/// Confined to the loop whose transport uses it; one instance may be in flight any number of times at once.
package final class PreparedRequest {
    /// The HTTP method.
    package enum Method: Sendable {
        case get
        case post
    }

    package let method: Method
    package let url: String
    package let headers: HeaderList?
    /// What a POST carries.
    package let body: [UInt8]?
    /// Where the URL leads; nil when it is no http or https URL, and then the request is refused as unauthorised.
    let target: RequestTarget?
    /// The URL as libcurl takes it.
    let urlText: UnsafeMutablePointer<CChar>
    /// A copy of `body` that libcurl reads while the request is in flight.
    let bodyBytes: UnsafeMutableBufferPointer<UInt8>
    /// The transport that found the target authorised last: the check is made once and not for each poll.
    weak var permittedBy: HTTPTransport?

    package init(_ method: Method = .get, url: String, headers: HeaderList? = nil, body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.target = RequestTarget(url: url)
        let text = url.utf8CString
        self.urlText = .allocate(capacity: text.count)
        self.bodyBytes = .allocate(capacity: body?.count ?? 0)
        for (offset, byte) in text.enumerated() { (urlText + offset).initialize(to: byte) }
        _ = bodyBytes.initialize(from: body ?? [])
    }

    deinit {
        urlText.deallocate()
        bodyBytes.deallocate()
    }
}
