/// An HTTP/1.1 request as text: the headers that libcurl would send, in its order, unless the request has its own.
enum RequestText {
    static func bytes(of request: PreparedRequest, _ configuration: TransportConfiguration) -> [UInt8] {
        var text = request.method == .post ? "POST " : "GET "
        text += request.target?.pathAndQuery ?? "/"
        text += " HTTP/1.1\r\n"
        let given = request.headers?.fields ?? []
        var standard: [(name: String, value: String)] = [
            ("Host", request.target?.authority ?? ""),
            ("User-Agent", configuration.userAgent),
            ("Accept", "*/*"),
        ]
        if configuration.acceptEncoding { standard.append(("Accept-Encoding", "gzip")) }
        if request.method == .post {
            standard.append(("Content-Length", String(request.body?.count ?? 0)))
            standard.append(("Content-Type", "application/x-www-form-urlencoded"))
        }
        let own = Set(given.map { $0.name.lowercased() })
        for field in standard.filter({ !own.contains($0.name.lowercased()) }) + given {
            text += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
        }
        text += "\r\n"
        return Array(text.utf8) + (request.body ?? [])
    }
}
