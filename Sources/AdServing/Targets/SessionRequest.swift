package struct SessionRequest: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable, CaseIterable {
        case get
        case post
    }

    package var method: Method
    package var url: String
    package var body: String?
    package var contentType: String?

    package init(_ method: Method, url: String, body: String? = nil, contentType: String? = nil) {
        self.method = method
        self.url = url
        self.body = body
        self.contentType = contentType
    }
}
