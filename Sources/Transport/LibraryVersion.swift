import CCurl

extension HTTPTransport {
    /// Name and version of the library that carries the requests and of those it uses, in its own words.
    package static var libraryVersion: String { curl_version().map { String(cString: $0) } ?? "unknown" }
}
