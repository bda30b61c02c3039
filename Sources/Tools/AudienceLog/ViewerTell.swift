import AdServing
import Values

/// Kind of identifier that tells a viewer from others.
package enum ViewerMark: String, CaseIterable, Encodable, Sendable {
    case mediaClientData
    /// A query parameter, or a field of the log.
    case parameter
    case path
    case cookie
    /// Address and User-Agent together.
    case address
}

enum RequestKind: UInt32, CaseIterable {
    case playlist
    case segment
    /// A pod, an asset list, an asset.
    case ads
    /// Unrelated to viewers.
    case other
}

/// Tells what a request is for and whose it is.
///
/// Keeps only hashes of identifiers, with a new seed in each reading. Two readings do not show that they saw the same viewer,
/// and hashing all addresses does not reveal one.
struct ViewerTell {
    enum Meaning {
        case mediaClientData, session, primarySession, breakName, ads
    }

    /// Lower case; `stream_id` is that of Google's pod serving, `aws.sessionId` that of MediaTailor ("Enabling session
    /// initialization"); the others are usual names, podswarm's assumption.
    private static let usualSessions = [
        "stream_id", "aws.sessionid", "session", "session_id", "sessionid", "jsessionid",
    ]
    /// HLS: bis-22 appendix D.4 and `_HLS_interstitial_id`; a pod: Google's "HLS pod manifest"; CTA-5004 section 3.
    private static let usualParameters: [String: Meaning] = [
        "cmcd": .mediaClientData, "_hls_primary_id": .primarySession, "_hls_interstitial_id": .breakName,
        "_hls_start_offset": .ads, "ad_break_id": .breakName, "pod_id": .breakName,
    ]
    /// MediaTailor's playlists, segments and tracking, with the session after account and configuration ("HLS implicit session
    /// initialization").
    private static let usualPaths = ["manifest", "segment", "tracking"].compactMap { PathPattern("/v1/\($0)/*/*/*") }
    /// Bytes of a parameter or cookie that is looked up: hashing a `String` takes time quadratic in marks that combine.
    private static let longestName = 128
    private static let segmentEndings: Set = [
        "ts", "m4s", "mp4", "m4a", "m4v", "aac", "mp3", "ac3", "ec3", "vtt", "webvtt", "cmfv", "cmfa", "cmft",
    ]

    private let options: AudienceLogOptions
    /// Keyed by names in lower case.
    private let parameters: [String: Meaning]
    private let cookies: Set<String>
    private let seed: UInt64

    init(_ options: AudienceLogOptions, seed: UInt64 = .random(in: .min ... .max)) {
        (self.options, self.seed) = (options, seed)
        let refused = Set(options.notSessions.map { $0.lowercased() })
        let sessions = Set((options.sessionParameters + Self.usualSessions).map { $0.lowercased() })
        let own = sessions.subtracting(refused).map { ($0, Meaning.session) }
        parameters = Self.usualParameters.merging(own) { usual, _ in usual }
        cookies = Set(options.sessionCookies.map { $0.lowercased() })
    }

    /// The first parameter of each meaning, not decoded.
    func facts(of query: LogBytes) -> [Meaning: LogBytes] {
        var facts: [Meaning: LogBytes] = [:]
        for pair in query.parts("&").map({ $0.parts("=", splits: 1) }) where pair.count == 2 {
            guard pair[0].count <= Self.longestName, let meaning = parameters[pair[0].text.lowercased()],
                facts[meaning] == nil
            else { continue }
            facts[meaning] = pair[1]
        }
        return facts
    }

    func kind(
        of request: LoggedRequest,
        _ facts: [Meaning: LogBytes]
    ) -> (kind: RequestKind, breakName: LogBytes?) {
        let path = request.path
        guard request.isGet else { return (.other, nil) }
        let asksForAds = [.primarySession, .breakName, .ads].contains { facts[$0] != nil }
        let ending = Self.ending(of: path)
        let isPlaylist = ending == "m3u8"
        let isPod = isPlaylist || path.starts(with: "/linear/pods/".utf8)
        let breakName = facts[.breakName] ?? (isPod ? Self.podName(in: path) : nil)
        if asksForAds || breakName != nil || matches(options.adPaths, path) { return (.ads, breakName) }
        guard isPlaylist || Self.segmentEndings.contains(ending),
            options.channelPaths.isEmpty || matches(options.channelPaths, path)
        else { return (.other, nil) }
        return (isPlaylist ? .playlist : .segment, nil)
    }

    private func matches(_ patterns: [PathPattern], _ path: LogBytes) -> Bool {
        path.withUnsafeBytes { bytes in patterns.contains { $0.place(in: bytes) != nil } }
    }

    private static func podName(in path: LogBytes) -> LogBytes? {
        let named = path.end(of: "/ad_break_id/")
        guard let start = named ?? path.end(of: "/pod/") else { return nil }
        let piece = path[start...].prefix { $0 != UInt8(ascii: "/") }
        let name = piece.dropLast(piece.reversed().starts(with: ".m3u8".utf8.reversed()) ? 5 : 0)
        return name.isEmpty || named == nil && name.first?.isDigit != true ? nil : name
    }

    /// Behind the last point, in lower case.
    private static func ending(of path: LogBytes) -> String {
        let ending = path.suffix(8).lastIndex(of: UInt8(ascii: ".")).map { path[$0...].dropFirst() }
        return ending?.text.lowercased() ?? ""
    }

    /// Nil without an identifier.
    func viewer(
        of request: LoggedRequest,
        _ facts: [Meaning: LogBytes],
        place: UInt64
    ) -> (hash: UInt64, mark: ViewerMark)? {
        let data =
            MediaClientData.session(in: facts[.mediaClientData] ?? []) ?? MediaClientData.session(in: request[.cmcd])
        if let id = data ?? (request[.session].isEmpty ? nil : request[.session]) {
            return (hash(of: id, in: "sid"), .mediaClientData)
        }
        // A master playlist names in its query the session that is in the paths behind it.
        if let id = facts[.session] { return (hash(of: id, in: "session"), .parameter) }
        if let id = pathSession(request.path) { return (hash(of: id, in: "session"), .path) }
        if let id = cookieSession(request[.cookie]) { return (hash(of: id, in: "cookie"), .cookie) }
        if let id = facts[.primarySession] { return (hash(of: id, in: "primary"), .parameter) }
        guard !request.address.isEmpty || !request[.userAgent].isEmpty else { return nil }
        return (place, .address)
    }

    func place(of request: LoggedRequest) -> UInt64 { hash(of: request.address, request[.userAgent], in: "address") }

    /// Separate for each `kind` of text.
    func hash(of texts: LogBytes..., in kind: String = "") -> UInt64 {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(kind)
        for text in texts {
            hasher.combine(text.count)
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private func pathSession(_ path: LogBytes) -> LogBytes? {
        let usual = path.starts(with: "/v1/".utf8) ? Self.usualPaths : []
        guard !options.sessionPaths.isEmpty || !usual.isEmpty else { return nil }
        let place = path.withUnsafeBytes { bytes in
            (options.sessionPaths + usual).lazy.compactMap { $0.place(in: bytes) }.first
        }
        return place.map { path.dropFirst($0.lowerBound).prefix($0.count) }
    }

    private func cookieSession(_ field: LogBytes) -> LogBytes? {
        let pairs = field.parts(";").lazy.map { $0.trimmed.parts("=", splits: 1) }
        return pairs.first { $0.count == 2 && isSession($0[0].prefix(Self.longestName).text.lowercased()) }?[1]
    }

    private func isSession(_ cookie: String) -> Bool {
        cookies.isEmpty ? cookie.contains("session") : cookies.contains(cookie)
    }
}

/// `sid` of Common Media Client Data (CTA-5004), a quoted string.
enum MediaClientData {
    private static let mostBytes = 4096

    /// Percent-encoded, or as logs escape it: `bl%3D6000%2Csid%3D%226e2f%22`, `cid="a",sid="6e2f"`, `sid=\x226e2f\x22`.
    static func session(in data: LogBytes) -> LogBytes? {
        guard data.count <= mostBytes, data.end(of: "sid") != nil else { return nil }
        let text = PercentEncoding.decode(PercentEncoding.decode(data)[...])[...].text
        // A value may have a plus sign, which begins a pair only as a space of the query.
        let pairs = text.replacing(#"\x22"#, with: "").split { ", ".contains($0) }.map { $0.drop { $0 == "+" } }
        let session = pairs.first { $0.hasPrefix("sid=") }?.dropFirst(4).filter { !#""\"#.contains($0) }
        return session.flatMap { $0.isEmpty ? nil : Array($0.utf8)[...] }
    }
}

/// Keeps only product names of User-Agents.
struct PlayerNames {
    private static let most = 4096
    private static let longest = 32

    private(set) var names = ["AppleCoreMedia", "Media3", "Mozilla", "(none)", "(others)"]
    private var places: [String: UInt16] = [:]

    static func group(_ player: Int) -> PlayerGroup { player < 3 ? [.avplayer, .media3, .browser][player] : .other }

    /// Index in ``names``; the User-Agent may be percent-encoded.
    mutating func player(of userAgent: LogBytes) -> UInt16 {
        if userAgent.isEmpty { return 3 }
        if userAgent.end(of: "AppleCoreMedia") != nil { return 0 }
        // Dalvik is Android's own HTTP client.
        let isMedia3 = userAgent.starts(with: "Dalvik".utf8) || userAgent.end(of: "AndroidXMedia3") != nil
        if isMedia3 || userAgent.end(of: "ExoPlayer") != nil { return 1 }
        if userAgent.starts(with: "Mozilla".utf8) { return 2 }
        let name = userAgent.prefix(Self.longest).prefix { $0.isAlphanumeric || "._-".utf8.contains($0) }.text
        if let place = places[name] { return place }
        guard !name.isEmpty, names.count < Self.most else { return 4 }
        let place = UInt16(names.count)
        places[name] = place
        names.append(name)
        return place
    }
}

/// Players that one persona can stand for; a known player has its persona's name.
package enum PlayerGroup: String, Encodable, Sendable {
    case avplayer
    case media3
    /// hls.js, Shaka, video.js.
    case browser
    case other
}
