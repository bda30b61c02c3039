/// Facts in a query about its viewer and about ads.
struct QueryFacts {
    /// Common Media Client Data, not decoded.
    var mediaClientData = LineBytes.nothing
    var session = LineBytes.nothing
    var primarySession = LineBytes.nothing
    /// Name of an ad break or an interstitial.
    var breakName = LineBytes.nothing
    var asksForAds = false
}

struct QueryReader: Sendable {
    /// Names, in lower case, of parameters that hold a viewer's session.
    ///
    /// `stream_id` is that of Google's pod serving, `aws.sessionId` that of MediaTailor ("Enabling session initialization");
    /// the others are usual names, podswarm's assumption as in the comparison of addresses.
    static let usualSessions = ["stream_id", "aws.sessionid", "session", "session_id", "sessionid", "jsessionid"]

    private enum Meaning {
        case mediaClientData
        case session
        case primarySession
        case breakName
        case ads
    }

    private let names: [(name: [UInt8], meaning: Meaning)]
    /// Whether any known name has this length; rejects most parameters early.
    private let lengths: [Bool]

    /// `sessions`: names of parameters that hold a viewer's session, in any case.
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
