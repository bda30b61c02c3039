import AdServing
import Profile
import Report
import Values

/// The kind follows from the URL and the playlists.
struct DraftedTarget {
    enum Kind {
        /// Whichever service inserts the ads.
        case channel
        case mediaTailor(TailoredSession)
        case podServing(DraftOptions.AdServer)

        var isGuided: Bool { if case .mediaTailor(let session) = self { session.insertion == .guided } else { false } }
    }

    let kind: Kind
    let facts: StreamFacts
    let options: DraftOptions
    let secrets: ReferencedSecrets

    init(_ facts: StreamFacts, _ options: DraftOptions, _ secrets: ReferencedSecrets) {
        (self.facts, self.options, self.secrets) = (facts, options, secrets)
        kind =
            options.adServer.map(Kind.podServing) ?? TailoredSession(facts, secrets).map(Kind.mediaTailor) ?? .channel
    }

    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_.".unicodeScalars.contains(scalar))
    }

    /// References replace secrets.
    private var url: String {
        let server = facts.address.url.prefix { $0 != "?" }.dropLast(facts.address.path.count)
        return String(server) + secrets.path + (secrets.query.isEmpty ? "" : "?\(secrets.query)")
    }

    private var seen: String {
        guard let ladder = facts.ladder else { return "one media playlist" }
        return "a multivariant playlist of \(TextLayout.counted(ladder.variants, "variant"))"
    }

    @Texts var lines: [String] {
        "target:"
        let own = secrets.all.filter { $0.part != .header }
        if !own.isEmpty {
            "  # FILL IN in the environment, not here; the URL that podswarm init was given has the values:"
            own.map { "  # \($0.variable): \(YAMLScalar.comment($0.place))" }
        }
        (body + hosts).map { "  " + $0 }
    }

    @Texts private var body: [String] {
        switch kind {
        case .channel:
            "urlTemplates:"
            "  # Seen: \(seen)."
            "  content: \(YAMLScalar.quoted(url))"
        case .mediaTailor(let session):
            "# Seen: a session of AWS Elemental MediaTailor in \(session.insertion.rawValue) insertion, \(seen)."
            "mediaTailor:"
            "  server: \(YAMLScalar.quoted(facts.address.origin.description))"
            session.lines.map { "  " + $0 }
        case .podServing(let adServer):
            "podServing:"
            "  # Seen: \(seen)."
            "  contentURL: \(YAMLScalar.quoted(url))"
            "  # As given to podswarm init. FILL IN: backupAdServer, adTagParameters and authTokenKey where your event has them."
            "  adServer: \(YAMLScalar.quoted(adServer.url))"
            "  networkCode: \(YAMLScalar.quoted(adServer.networkCode))"
            "  customAssetKey: \(YAMLScalar.quoted(adServer.customAssetKey))"
        }
    }

    /// Authorised hosts, then the others as comments.
    @Texts private var hosts: [String] {
        let authorised = authorised
        let waiting = facts.hosts.filter { !$0.isAllowed }
        if !waiting.isEmpty {
            "  # FILL IN: take the # from hosts that you answer for too. Addresses of others are counted and never fetched."
        }
        if !authorised.isEmpty || !waiting.isEmpty {
            authorised.isEmpty ? "  # authorisedHosts:" : "  authorisedHosts:"
        }
        authorised.map { "    - \(YAMLScalar.quoted($0.pattern))\($0.note)" }
        for host in waiting {
            let places = host.places.joined(separator: ", ")
            if secrets.isRepeated(in: host.name) {
                let shown = YAMLScalar.comment(secrets.told(host.name))
                "    # - \(shown) # \(places); its name has a secret of the URL in it"
            } else {
                "    # - \(YAMLScalar.quoted(host.name)) # \(places)"
            }
        }
    }

    /// For an ad server that has the pods of announced breaks.
    @Texts var podServingAdvice: [String] {
        if case .channel = kind, facts.breaks.interstitials.count == 0,
            let found = facts.breaks.likelyClass({ [secrets] in !secrets.isRepeated(in: $0) })
        {
            "# The channel announces breaks by EXT-X-DATERANGE, and who has their ads cannot be seen. Where your players ask an"
            "# ad server in the shape of Google's pod serving, FILL IN the event and put this in place of target and breaks, or"
            "# run podswarm init again with --ad-server, --network-code and --asset-key:"
            "#"
            "# target:"
            "#   podServing:"
            "#     contentURL: \(YAMLScalar.quoted(url))"
            "#     adServer: https://dai.google.com"
            "#     networkCode: \"21775744923\""
            "#     customAssetKey: my-event"
            "#     authorisedHosts: [\(YAMLScalar.quoted(facts.address.origin.host)), dai.google.com]"
            "# breaks:"
            "#   source: \(DraftedBreaks.source(named: found.name))"
            "#   podDuration: \(DraftedBreaks.length(of: found.announced).text)"
            "#"
        }
    }

    private var authorised: [(pattern: String, note: String)] {
        var patterns: [(pattern: String, note: String)] = []
        let own = facts.address.origin
        if !own.isLoopback { patterns.append((own.host, "")) }
        if let adServer = options.adServer {
            let host = adServer.url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
            if WebOrigin(of: adServer.url)?.isLoopback != true { patterns.append((String(host), " # the ad server")) }
        }
        let seen = facts.hosts.filter(\.isAllowed)
        for pattern in options.access.hosts {
            let places = seen.filter { $0.name == pattern.lowercased() || pattern.hasPrefix("*.") }.flatMap(\.places)
            let known = places.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            patterns.append((pattern, known.isEmpty ? "" : " # \(known.joined(separator: ", "))"))
        }
        var names: Set<String> = []
        return patterns.filter { names.insert($0.pattern.lowercased()).inserted }
    }
}

/// Session of MediaTailor, recognised by the URL's path and query.
struct TailoredSession {
    /// After `/v1/master/`.
    private let asset: String
    /// Guided by interstitials, or stitched where playlists have addresses of a session's own.
    let insertion: MediaTailorPlan.Insertion
    /// Grouped as a profile names them.
    private var parameters: [(group: String, name: String, value: String)] = []
    private var reportsFromClient = false

    /// Nil also for a parameter that a profile cannot name.
    init?(_ facts: StreamFacts, _ secrets: ReferencedSecrets) {
        typealias Name = WireName.MediaTailor
        let asset = secrets.path.dropFirst(Name.masterPath.count)
        guard secrets.path.hasPrefix(Name.masterPath), !asset.isEmpty, !asset.hasPrefix("/") else { return nil }
        let isGuided =
            facts.breaks.interstitials.count > 0
            || facts.address.parameters.contains {
                $0.name == Name.insertionModeParameter && $0.value == Name.guided
            }
        guard isGuided || facts.session != nil else { return nil }
        (self.asset, insertion) = (String(asset), isGuided ? .guided : .stitched)
        let groups = [(Name.adsPrefix, "adsParameters"), (Name.manifestPrefix, "manifestParameters")]
        for (name, value) in secrets.parameters {
            switch (name, value) {
            case (Name.insertionModeParameter, Name.guided): continue
            case (Name.reportingModeParameter, "CLIENT"): reportsFromClient = true
            default:
                guard let (prefix, group) = groups.first(where: { name.hasPrefix($0.0) }) else { return nil }
                let key = String(name.dropFirst(prefix.count))
                let isPlain = !key.isEmpty && key.unicodeScalars.allSatisfy(DraftedTarget.isPlain)
                // A URL has no braces: this is a reference in place of a secret.
                let isReference = value.hasPrefix("${")
                // A profile holds decoded values; they are encoded when sent.
                let decoded = isReference ? value : PercentEncoding.decode(value[...])
                let isNew = !parameters.contains { $0.group == group && $0.name == key }
                guard isPlain, isNew, isReference || Self.isTellable(decoded) else { return nil }
                parameters.append((group, key, decoded))
            }
        }
    }

    /// A stream's URL must never refer to the environment.
    private static func isTellable(_ value: String) -> Bool {
        !value.isEmpty && !value.contains("{") && !value.contains("}")
            && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    @Texts fileprivate var lines: [String] {
        "asset: \(YAMLScalar.quoted(asset))"
        if insertion == .stitched {
            "insertion: stitched"
            "# With session: explicit and reporting: client viewers poll the session's trackingUrl, and send its beacons where"
            "# impressions are allowed."
        }
        if insertion == .stitched, reportsFromClient {
            // Only the answer to a POST names the tracking URL of a stitched session (user guide, "Client-side ad tracking").
            "session: explicit"
        } else {
            "# implicit: each viewer's first playlist makes its session, as podswarm init was given its own. FILL IN: explicit"
            "# where your players make theirs by a POST."
            "session: implicit"
        }
        if reportsFromClient { "reporting: client" }
        for group in ["adsParameters", "manifestParameters"] {
            let own = parameters.filter { $0.group == group }
            if !own.isEmpty {
                "\(group):"
                own.map { "  \(YAMLScalar.quoted($0.name)): \(YAMLScalar.quoted($0.value))" }
            }
        }
    }
}
