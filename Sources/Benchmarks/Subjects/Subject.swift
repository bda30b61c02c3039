enum Subject: String, Codable, CaseIterable, CodingKeyRepresentable {
    case podswarm
    case wrk
    case h2load
    case hey
    /// `send` in a loop over the same connections, with nothing around it.
    case bareSend = "bare_send"
    /// podswarm itself over HTTP/1.1 and TLS.
    case overHTTP1 = "over_http1"
}
