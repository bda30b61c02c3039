/// A request on the wire: the headers that libcurl would send, in its order, unless the request has its own.
enum RequestText {
    static func bytes(of request: PreparedRequest, _ configuration: TransportConfiguration) -> [UInt8] {
        var text = "\(request.method.name) "
        text += request.target?.pathAndQuery ?? "/"
        text += " HTTP/1.1\r\n"
        for field in fields(of: request, configuration) {
            text += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
        }
        text += "\r\n"
        return Array(text.utf8) + (request.body ?? [])
    }

    /// RFC 9113 section 8.3.1.
    static func fields(overHTTP2 request: PreparedRequest, _ configuration: TransportConfiguration) -> RequestFields {
        let fields = fields(of: request, configuration)
        let host = fields.last { $0.name.lowercased() == "host" }?.value
        let pseudo = [
            (name: ":method", value: request.method.name),
            (name: ":scheme", value: request.target?.scheme ?? "https"),
            (name: ":authority", value: host ?? ""),
            (name: ":path", value: request.target?.pathAndQuery ?? "/"),
        ]
        return RequestFields(pseudo + fields)
    }

    private static func fields(of request: PreparedRequest, _ configuration: TransportConfiguration)
        -> [(name: String, value: String)]
    {
        let given = request.headers?.fields ?? []
        var standard: [(name: String, value: String)] = [
            ("Host", request.target?.authority ?? ""),
            ("User-Agent", configuration.userAgent),
            ("Accept", "*/*"),
        ]
        if configuration.acceptEncoding { standard.append(("Accept-Encoding", "gzip")) }
        if request.method != .get {
            standard.append(("Content-Length", String(request.body?.count ?? 0)))
            standard.append(("Content-Type", "application/x-www-form-urlencoded"))
        }
        let own = Set(given.map { $0.name.lowercased() })
        return standard.filter { !own.contains($0.name.lowercased()) } + given
    }
}
