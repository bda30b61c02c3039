/// What a query says of who asks, and of ads.
struct QueryFacts {
    /// Common Media Client Data, as it stands there.
    var mediaClientData = LineBytes.nothing
    var session = LineBytes.nothing
    /// `_HLS_primary_id`, which a player sends with what it asks for interstitials.
    var primarySession = LineBytes.nothing
    /// What an ad break or an interstitial is called.
    var breakName = LineBytes.nothing
    var asksForAds = false
}

/// Finds in queries what podswarm knows by name.
struct QueryReader: Sendable {
    /// Names of parameters that are a viewer's session, in lower case.
    ///
    /// `stream_id` is that of Google's pod serving, `aws.sessionId` that of MediaTailor ("Enabling session initialization");
    /// the others are what servers like to call it, podswarm's assumption as in the comparison of addresses.
    static let usualSessions = [
        "stream_id", "aws.sessionid", "session", "session_id", "sessionid", "jsessionid",
    ]

    private enum Meaning {
        case mediaClientData
        case session
        case primarySession
        case breakName
        case ads
    }

    private let names: [(name: [UInt8], meaning: Meaning)]
    /// Whether any name has a length.
    private let lengths: [Bool]

    /// - Parameter sessions: Names of parameters that are a viewer's session, whatever their case.
    init(sessions: [String]) {
        // HLS: bis-22 appendix D.4 and `_HLS_interstitial_id`; a pod: Google's "HLS pod manifest"; CTA-5004 section 3.
        var names: [(name: [UInt8], meaning: Meaning)] = [
            (Array("cmcd".utf8), .mediaClientData), (Array("_hls_primary_id".utf8), .primarySession),
            (Array("_hls_interstitial_id".utf8), .breakName), (Array("_hls_start_offset".utf8), .ads),
            (Array("ad_break_id".utf8), .breakName), (Array("pod_id".utf8), .breakName),
        ]
        for session in sessions { names.append((Array(session.lowercased().utf8), .session)) }
        self.names = names
        let longest = names.map(\.name.count).max() ?? 0
        lengths = (0...longest).map { length in names.contains { $0.name.count == length } }
    }

    func facts(of query: LineBytes) -> QueryFacts {
        var facts = QueryFacts()
        var start = 0
        while start < query.count {
            let end = query.place(of: UInt8(ascii: "&"), from: start) ?? query.count
            let pair = query.part(start, end)
            start = end + 1
            guard let sign = pair.place(of: UInt8(ascii: "=")), sign < lengths.count, lengths[sign] else { continue }
            add(pair.part(0, sign), pair.part(from: sign + 1), to: &facts)
        }
        return facts
    }

    private func add(_ name: LineBytes, _ value: LineBytes, to facts: inout QueryFacts) {
        guard !value.isEmpty, let known = names.first(where: { name.isName($0.name) }) else { return }
        switch known.meaning {
        case .mediaClientData: facts.mediaClientData = value
        case .session: if facts.session.isEmpty { facts.session = value }
        case .primarySession:
            facts.primarySession = value
            facts.asksForAds = true
        case .breakName:
            facts.breakName = value
            facts.asksForAds = true
        case .ads: facts.asksForAds = true
        }
    }
}
