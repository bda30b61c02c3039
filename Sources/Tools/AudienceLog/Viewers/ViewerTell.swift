import AdServing
import Values

/// Kind of identifier that tells a viewer from others.
package enum ViewerMark: Int, CaseIterable, Encodable, Sendable {
    case mediaClientData
    /// A query parameter, or a field of the log.
    case parameter
    case path
    case cookie
    /// Address and User-Agent together.
    case address

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(self)")
    }
}

struct ViewerKey: Equatable {
    var hash: UInt64
    var mark: ViewerMark
}

/// Keeps only hashes of identifiers, with a new seed in each reading.
///
/// Two readings do not show that they saw the same viewer, and hashing all addresses does not reveal one.
struct ViewerTell: Sendable {
    /// MediaTailor's playlists, segments and tracking, with the session after account and configuration ("HLS implicit session
    /// initialization").
    private static let usualPaths = ["manifest", "segment", "tracking"].compactMap { PathPattern("/v1/\($0)/*/*/*") }
    private static let usualCookie = Array("session".utf8)

    var paths: [PathPattern] = []
    /// Lower case; empty: all with `session` in their names.
    var cookies: [[UInt8]] = []
    var seed = UInt64.random(in: .min ... .max)

    /// Nil without an identifier; `place` is ``place(of:)``.
    func viewer(of request: LoggedRequest, _ facts: QueryFacts, place: UInt64) -> ViewerKey? {
        let id = MediaClientData.session(in: facts.mediaClientData) ?? MediaClientData.session(in: request[.cmcd])
        if let id { return key(.mediaClientData, id, among: 1) }
        if !request[.session].isEmpty { return key(.mediaClientData, request[.session], among: 1) }
        if !facts.session.isEmpty { return key(.parameter, facts.session, among: 2) }
        if let id = pathSession(request.path) { return key(.path, id, among: 2) }
        if let id = cookieSession(request[.cookie]) { return key(.cookie, id, among: 4) }
        if !facts.primarySession.isEmpty { return key(.parameter, facts.primarySession, among: 5) }
        guard !request.address.isEmpty || !request[.userAgent].isEmpty else { return nil }
        return ViewerKey(hash: place, mark: .address)
    }

    func place(of request: LoggedRequest) -> UInt64 {
        hash(of: request.address, among: 3) ^ hash(of: request[.userAgent], among: 7)
    }

    /// Separate for each `kind`; multiplies words as wyhash does: `Hasher` would take a third of the time of a line.
    func hash(of text: LineBytes, among kind: UInt64 = 8) -> UInt64 {
        func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right | 1)
            return product.high ^ product.low
        }
        var state = mixed(seed ^ kind &* 0xD6E8_FEB8_6659_FD93, UInt64(text.count))
        var place = 0
        while place + 8 <= text.count {
            state = mixed(state ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self), seed)
            place += 8
        }
        let rest = text[place...].reduce(0) { $0 << 8 | UInt64($1) }
        return mixed(state ^ rest, 0xD6E8_FEB8_6659_FD93)
    }

    private func key(_ mark: ViewerMark, _ id: LineBytes, among kind: UInt64) -> ViewerKey {
        ViewerKey(hash: hash(of: id, among: kind), mark: mark)
    }

    private func pathSession(_ path: LineBytes) -> LineBytes? {
        let usual = path.begins(with: "/v1/") ? Self.usualPaths : []
        guard !paths.isEmpty || !usual.isEmpty else { return nil }
        return (paths + usual).lazy.compactMap { $0.place(in: path) }.first.map { LineBytes(rebasing: path[$0]) }
    }

    private func cookieSession(_ field: LineBytes) -> LineBytes? {
        guard !field.isEmpty else { return nil }
        for pair in field.parts(between: UInt8(ascii: ";")).lazy.map(\.trimmed) {
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
        return stride(from: 0, through: name.count - length, by: 1).contains {
            name.part($0, $0 + length).isName(Self.usualCookie)
        }
    }
}

/// Keeps only product names of User-Agents.
struct PlayerNames {
    private static let most = 4096
    private static let longest = 32
    /// Products beyond the first `most`.
    private static let others: UInt16 = 4

    private(set) var names = ["AppleCoreMedia", "Media3", "Mozilla", "(none)", "(others)"]
    private var places: [String: UInt16] = [:]

    static func group(_ player: Int) -> PlayerGroup { player < 3 ? [.avplayer, .media3, .browser][player] : .other }

    /// Index in ``names``; the User-Agent may be percent-encoded.
    mutating func player(of userAgent: LineBytes) -> UInt16 {
        if userAgent.isAbsent { return 3 }
        if userAgent.contains("AppleCoreMedia") { return 0 }
        // Dalvik is Android's own HTTP client.
        if userAgent.contains("AndroidXMedia3") || userAgent.contains("ExoPlayer") || userAgent.begins(with: "Dalvik") {
            return 1
        }
        if userAgent.begins(with: "Mozilla") { return 2 }
        let name = String(decoding: userAgent.prefix(Self.longest).prefix(while: Self.isOfName), as: UTF8.self)
        if let place = places[name] { return place }
        guard !name.isEmpty, names.count < Self.most else { return Self.others }
        let place = UInt16(names.count)
        places[name] = place
        names.append(name)
        return place
    }

    private static func isOfName(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "._-".utf8.contains(byte) }
}

/// Players that one persona can stand for; a known player has its persona's name.
package enum PlayerGroup: String, Encodable, Sendable {
    case avplayer
    case media3
    /// hls.js, Shaka, video.js.
    case browser
    case other
}
