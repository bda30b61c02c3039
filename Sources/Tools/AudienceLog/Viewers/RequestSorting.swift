import AdServing
import Values

enum RequestKind: Int, CaseIterable {
    case playlist
    case segment
    /// A pod, an asset list, an asset.
    case ads
    case registration
    /// Unrelated to viewers.
    case other
}

struct RequestSorting: Sendable {
    private static let playlistEnding = ending(of: ".m3u8".utf8)
    private static let segmentEndings = [
        ".ts", ".m4s", ".mp4", ".m4a", ".m4v", ".aac", ".mp3", ".ac3", ".ec3", ".vtt", ".webvtt", ".cmfv", ".cmfa",
        ".cmft",
    ].map { ending(of: $0.utf8) }

    var adPaths: [PathPattern] = []
    /// Empty: all.
    var channelPaths: [PathPattern] = []

    /// Sets `facts.breakName` if the path has the break's name.
    func kind(of request: LoggedRequest, _ facts: inout QueryFacts) -> RequestKind {
        let path = request.path
        guard request.method == .get else {
            return request.method == .post && Self.isRegistration(path) ? .registration : .other
        }
        if facts.asksForAds || adPaths.contains(where: { $0.place(in: path) != nil }) { return .ads }
        let ending = Self.ending(of: path)
        let isPlaylist = ending == Self.playlistEnding
        if isPlaylist || path.begins(with: "/linear/pods/"), let name = Self.podName(in: path) {
            facts.breakName = name
            return .ads
        }
        guard isPlaylist || Self.segmentEndings.contains(ending) else { return .other }
        guard channelPaths.isEmpty || channelPaths.contains(where: { $0.place(in: path) != nil }) else { return .other }
        return isPlaylist ? .playlist : .segment
    }

    /// `/ssai/pods/api/v1/network/…/stream` of Google's pod serving, `/v1/session/…` of MediaTailor.
    private static func isRegistration(_ path: LineBytes) -> Bool {
        path.begins(with: "/ssai/pods/api/v1/network/") && path.ends(with: "/stream")
            || path.begins(with: "/v1/session/")
    }

    private static func podName(in path: LineBytes) -> LineBytes? {
        let named = path.place(of: "/ad_break_id/").map { path.part(from: $0 + 13) }
        let numbered = path.place(of: "/pod/").map { path.part(from: $0 + 5) }
        guard let rest = named ?? numbered, named != nil || rest.first?.isDigit == true else { return nil }
        let piece = rest.part(0, rest.place(of: UInt8(ascii: "/")) ?? rest.count)
        let name = piece.ends(with: ".m3u8") ? piece.part(0, piece.count - 5) : piece
        return name.isEmpty ? nil : name
    }

    /// Up to seven letters after the last point, in lower case; 0 without a point that near to the end.
    private static func ending(of path: some BidirectionalCollection<UInt8>) -> UInt64 {
        var ending: UInt64 = 0
        for byte in path.reversed().prefix(8) {
            switch byte {
            case UInt8(ascii: "."): return ending
            case UInt8(ascii: "/"): return 0
            default: ending = ending << 8 | UInt64(byte.lowercasedASCII)
            }
        }
        return 0
    }
}

struct QueryFacts {
    /// Not decoded.
    var mediaClientData = LineBytes.nothing
    var session = LineBytes.nothing
    var primarySession = LineBytes.nothing
    /// Ad break or interstitial.
    var breakName = LineBytes.nothing
    var asksForAds = false
}

struct QueryReader: Sendable {
    /// Lower case; `stream_id` is that of Google's pod serving, `aws.sessionId` that of MediaTailor ("Enabling session
    /// initialization"); the others are usual names, podswarm's assumption.
    static let usualSessions = ["stream_id", "aws.sessionid", "session", "session_id", "sessionid", "jsessionid"]

    private enum Meaning {
        case mediaClientData
        case session
        case primarySession
        case breakName
        case ads
    }

    private let names: [(name: [UInt8], meaning: Meaning)]
    /// Rejects most parameters early.
    private let lengths: [Bool]

    init(sessions: [String]) {
        // HLS: bis-22 appendix D.4 and `_HLS_interstitial_id`; a pod: Google's "HLS pod manifest"; CTA-5004 section 3.
        let known: [(String, Meaning)] = [
            ("cmcd", .mediaClientData), ("_hls_primary_id", .primarySession), ("_hls_interstitial_id", .breakName),
            ("_hls_start_offset", .ads), ("ad_break_id", .breakName), ("pod_id", .breakName),
        ]
        let names = (known + sessions.map { ($0.lowercased(), .session) }).map { (Array($0.utf8), $1) }
        self.names = names
        lengths = (0...(names.map(\.0.count).max() ?? 0)).map { length in names.contains { $0.0.count == length } }
    }

    func facts(of query: LineBytes) -> QueryFacts {
        var facts = QueryFacts()
        guard !query.isEmpty else { return facts }
        for pair in query.parts(between: UInt8(ascii: "&")) {
            guard let sign = pair.place(of: UInt8(ascii: "=")), sign < lengths.count, lengths[sign],
                sign + 1 < pair.count
            else { continue }
            let name = pair.part(0, sign)
            guard let meaning = names.first(where: { name.isName($0.name) })?.meaning else { continue }
            let value = pair.part(from: sign + 1)
            switch meaning {
            case .mediaClientData: facts.mediaClientData = value
            case .session: if facts.session.isEmpty { facts.session = value }
            case .primarySession: facts.primarySession = value
            case .breakName: facts.breakName = value
            case .ads: break
            }
            if meaning != .mediaClientData, meaning != .session { facts.asksForAds = true }
        }
        return facts
    }
}

/// `sid` of Common Media Client Data (CTA-5004), a quoted string.
enum MediaClientData {
    private static let signs: [StaticString] = ["=", "%3D", "%3d", "%253D"]
    private static let quotes: [StaticString] = ["\"", "%22", "%2522", "\\x22", "\\\""]

    /// Percent-encoded, or as logs escape it: `bl%3D6000%2Csid%3D%226e2f%22`, `cid="a",sid="6e2f"`.
    static func session(in data: LineBytes) -> LineBytes? {
        var place = 0
        while let start = data.place(of: "sid", from: place) {
            place = start + 3
            guard beginsKey(start, in: data), var value = end(of: signs, at: place, in: data) else { continue }
            while let quote = end(of: quotes, at: value, in: data) { value = quote }
            let end = (value..<data.count).first { "\"\\,%& ".utf8.contains(data[$0]) } ?? data.count
            if end > value { return data.part(value, end) }
        }
        return nil
    }

    /// At the start or after a mark, possibly an encoded one; rules out `csid`.
    private static func beginsKey(_ place: Int, in data: LineBytes) -> Bool {
        place == 0 || ", \"+".utf8.contains(data[place - 1]) || place >= 3 && data[place - 3] == UInt8(ascii: "%")
    }

    private static func end(of marks: [StaticString], at place: Int, in data: LineBytes) -> Int? {
        marks.first { data.matches($0, at: place) }.map { place + $0.utf8CodeUnitCount }
    }
}
