import CCurl

extension HTTPTransport {
    /// Name and version of libcurl and of the libraries it uses, in libcurl's own words.
    package static var libraryVersion: String { curl_version().map { String(cString: $0) } ?? "unknown" }
}
