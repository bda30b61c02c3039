/// By what a viewer is told from others.
package enum ViewerMark: Int, CaseIterable, Sendable {
    /// `sid` of Common Media Client Data.
    case mediaClientData
    /// A session's id in a parameter of the query, or in a field of the log.
    case parameter
    /// A session's id in the path.
    case path
    case cookie
    /// The address and the User-Agent together.
    case address
    /// A file that holds one viewer's requests.
    case file
}

/// One viewer, as far as a request tells.
struct ViewerKey: Equatable {
    var hash: UInt64
    var mark: ViewerMark
}

/// Where a request came from, as hashes.
struct RequestPlace {
    /// Of address and User-Agent.
    var hash: UInt64
    /// Of the User-Agent alone.
    var agentHash: UInt64
}

/// Tells viewers apart by what they send.
struct ViewerTell: Sendable {
    /// Names of parameters that are a session's, in lower case.
    var parameters = QueryReader.usualSessions
    /// Paths in which the last piece with a wildcard is a session's.
    var paths: [PathGlob] = []
    /// Names of cookies that are a session's, in lower case; empty: those with `session` in their names.
    var cookies: [[UInt8]] = []

    private let hash: SaltedHash

    init(salt: UInt64) { hash = SaltedHash(salt: salt) }

    /// Who made a request.
    ///
    /// - Parameters:
    ///   - request: It.
    ///   - facts: What its query says.
    ///   - place: The hash of where it came from.
    ///   - file: The number of a file that is one viewer's.
    /// - Returns: Nil where nothing tells.
    func viewer(of request: LoggedRequest, _ facts: QueryFacts, place: UInt64, file: UInt64?) -> ViewerKey? {
        if let file { return key(.file, withUnsafeBytes(of: file) { hash.of($0, among: 6) }) }
        if let id = MediaClientData.session(in: facts.mediaClientData)
            ?? MediaClientData.session(in: request.mediaClientData)
        {
            return key(.mediaClientData, hash.of(id, among: 1))
        }
        if !request.session.isAbsent { return key(.mediaClientData, hash.of(request.session, among: 1)) }
        if !facts.session.isEmpty { return key(.parameter, hash.of(facts.session, among: 2)) }
        if let id = pathSession(request.path) { return key(.path, hash.of(id, among: 2)) }
        if let id = cookieSession(request.cookie) { return key(.cookie, hash.of(id, among: 4)) }
        if !facts.primarySession.isEmpty { return key(.parameter, hash.of(facts.primarySession, among: 5)) }
        guard !request.address.isEmpty || !request.userAgent.isEmpty else { return nil }
        return key(.address, place)
    }

    /// Where a request came from.
    func place(of request: LoggedRequest) -> RequestPlace {
        let agent = hash.of(request.userAgent, among: 7)
        return RequestPlace(hash: hash.of(request.address, among: 3) ^ agent, agentHash: agent)
    }

    /// The hash of any other text.
    func hash(of text: LineBytes) -> UInt64 { hash.of(text, among: 8) }

    private func key(_ mark: ViewerMark, _ hash: UInt64) -> ViewerKey { ViewerKey(hash: hash, mark: mark) }

    /// MediaTailor's playlists, segments and tracking lie under `/v1/manifest/ACCOUNT/CONFIGURATION/SESSION/` and the like
    /// ("HLS implicit session initialization").
    private func pathSession(_ path: LineBytes) -> LineBytes? {
        for glob in paths {
            if let piece = glob.match(in: path), !piece.isEmpty { return piece }
        }
        guard
            path.begins(with: "/v1/manifest/") || path.begins(with: "/v1/segment/")
                || path.begins(with: "/v1/tracking/")
        else { return nil }
        var start = 4
        for _ in 0..<3 {
            guard let slash = path.place(of: UInt8(ascii: "/"), from: start) else { return nil }
            start = slash + 1
        }
        let piece = path.part(start, path.place(of: UInt8(ascii: "/"), from: start) ?? path.count)
        return piece.isEmpty ? nil : piece
    }

    private static let usualCookie = Array("session".utf8)

    private func cookieSession(_ field: LineBytes) -> LineBytes? {
        guard !field.isAbsent else { return nil }
        var start = 0
        while start < field.count {
            let end = field.place(of: UInt8(ascii: ";"), from: start) ?? field.count
            let pair = field.part(start, end).trimmed
            start = end + 1
            guard let sign = pair.place(of: UInt8(ascii: "=")), sign + 1 < pair.count,
                isSessionCookie(pair.part(0, sign))
            else { continue }
            return pair.part(from: sign + 1)
        }
        return nil
    }

    private func isSessionCookie(_ name: LineBytes) -> Bool {
        guard cookies.isEmpty else { return cookies.contains { name.isName($0) } }
        let length = Self.usualCookie.count
        guard name.count >= length else { return false }
        return (0...name.count - length).contains { name.part($0, $0 + length).isName(Self.usualCookie) }
    }
}
