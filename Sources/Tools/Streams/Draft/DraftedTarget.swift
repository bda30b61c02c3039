import AdServing
import Profile
import Report
import Values

/// The kind follows from the URL and the playlists.
struct DraftedTarget {
    enum Kind: Equatable {
        /// Whichever service inserts the ads.
        case channel
        /// Recognised by the URL's path and query: guided by interstitials, stitched by a session of its own.
        case mediaTailor(asset: String, MediaTailorPlan.Insertion)
        case podServing(DraftOptions.AdServer)
    }

    let kind: Kind
    let facts: StreamFacts
    let options: DraftOptions
    let secrets: ReferencedSecrets
    /// Grouped by the prefix of their names.
    private var tailorParameters: [(group: String, name: String, value: String)] = []
    private var reportsFromClient = false

    init(_ facts: StreamFacts, _ options: DraftOptions, _ secrets: ReferencedSecrets) {
        (self.facts, self.options, self.secrets) = (facts, options, secrets)
        if let adServer = options.adServer {
            kind = .podServing(adServer)
            return
        }
        guard let (asset, insertion) = Self.tailorAsset(facts, secrets),
            let parameters = Self.tailorParameters(secrets.parameters)
        else {
            kind = .channel
            return
        }
        kind = .mediaTailor(asset: asset, insertion)
        tailorParameters = parameters.told
        reportsFromClient = parameters.reportsFromClient
    }

    /// After `/v1/master/`, if the session is guided, or playlists have addresses of a session's own.
    private static func tailorAsset(
        _ facts: StreamFacts,
        _ secrets: ReferencedSecrets
    ) -> (String, MediaTailorPlan.Insertion)? {
        let prefix = WireName.MediaTailor.masterPath
        let asset = secrets.path.dropFirst(prefix.count)
        guard secrets.path.hasPrefix(prefix), !asset.isEmpty, !asset.hasPrefix("/") else { return nil }
        let isGuided = facts.address.parameters.contains {
            $0.name == WireName.MediaTailor.insertionModeParameter && $0.value == WireName.MediaTailor.guided
        }
        if isGuided || facts.breaks.interstitials.count > 0 { return (String(asset), .guided) }
        return facts.session == nil ? nil : (String(asset), .stitched)
    }

    /// As a profile names them; nil if it cannot name one.
    private static func tailorParameters(
        _ parameters: [(name: String, value: String)]
    ) -> (told: [(group: String, name: String, value: String)], reportsFromClient: Bool)? {
        typealias Name = WireName.MediaTailor
        var told: [(group: String, name: String, value: String)] = []
        var reportsFromClient = false
        for (name, value) in parameters {
            let group = [(Name.adsPrefix, "adsParameters"), (Name.manifestPrefix, "manifestParameters")].first {
                name.hasPrefix($0.0)
            }
            switch (name, value) {
            case (Name.insertionModeParameter, Name.guided): continue
            case (Name.reportingModeParameter, "CLIENT"): reportsFromClient = true
            default:
                guard let group else { return nil }
                let key = String(name.dropFirst(group.0.count))
                let isPlain = !key.isEmpty && key.unicodeScalars.allSatisfy(isPlain)
                // A URL has no braces: this is a reference in place of a secret.
                let isReference = value.hasPrefix("${")
                // A profile holds decoded values; they are encoded when sent.
                let decoded = isReference ? value : PercentEncoding.decode(value[...])
                let isNew = !told.contains { $0.group == group.1 && $0.name == key }
                guard isPlain, isNew, isReference || isTellable(decoded) else { return nil }
                told.append((group.1, key, decoded))
            }
        }
        return (told, reportsFromClient)
    }

    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_.".unicodeScalars.contains(scalar))
    }

    /// A stream's URL must never refer to the environment.
    private static func isTellable(_ value: String) -> Bool {
        !value.isEmpty && !value.contains("{") && !value.contains("}")
            && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
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

    var lines: [String] { ["target:"] + secretLines + body.map { "  " + $0 } }

    private var secretLines: [String] {
        let own = secrets.all.filter { $0.part != .header }
        guard !own.isEmpty else { return [] }
        return ["  # FILL IN in the environment, not here; the URL that podswarm init was given has the values:"]
            + own.map { "  # \($0.variable): \(YAMLScalar.comment($0.place))" }
    }

    private var body: [String] {
        switch kind {
        case .channel:
            return ["urlTemplates:", "  # Seen: \(seen).", "  content: \(YAMLScalar.quoted(url))"] + hosts
        case .mediaTailor(let asset, let insertion):
            // Only the answer to a POST names the tracking URL of a stitched session (user guide, "Client-side ad tracking").
            let isExplicit = insertion == .stitched && reportsFromClient
            var lines = [
                "# Seen: a session of AWS Elemental MediaTailor in \(insertion.rawValue) insertion, \(seen).",
                "mediaTailor:",
                "  server: \(YAMLScalar.quoted(facts.address.origin.description))",
                "  asset: \(YAMLScalar.quoted(asset))",
            ]
            if insertion == .stitched {
                lines.append("  insertion: stitched")
                lines += [
                    "  # With session: explicit and reporting: client viewers poll the session's trackingUrl, and send its beacons where",
                    "  # impressions are allowed.",
                ]
            }
            if !isExplicit {
                lines += [
                    "  # implicit: each viewer's first playlist makes its session, as podswarm init was given its own. FILL IN: explicit",
                    "  # where your players make theirs by a POST.",
                ]
            }
            lines.append("  session: \(isExplicit ? "explicit" : "implicit")")
            if reportsFromClient { lines.append("  reporting: client") }
            for group in ["adsParameters", "manifestParameters"] {
                let own = tailorParameters.filter { $0.group == group }
                guard !own.isEmpty else { continue }
                lines.append("  \(group):")
                lines += own.map { "    \(YAMLScalar.quoted($0.name)): \(YAMLScalar.quoted($0.value))" }
            }
            return lines + hosts
        case .podServing(let adServer):
            return [
                "podServing:", "  # Seen: \(seen).", "  contentURL: \(YAMLScalar.quoted(url))",
                "  # As given to podswarm init. FILL IN: backupAdServer, adTagParameters and authTokenKey where your event has them.",
                "  adServer: \(YAMLScalar.quoted(adServer.url))",
                "  networkCode: \(YAMLScalar.quoted(adServer.networkCode))",
                "  customAssetKey: \(YAMLScalar.quoted(adServer.customAssetKey))",
            ] + hosts
        }
    }

    /// Authorised hosts, then the others as comments.
    private var hosts: [String] {
        let authorised = authorised
        let waiting = facts.hosts.filter { !$0.isAllowed }
        var lines: [String] = []
        if !waiting.isEmpty {
            lines.append(
                "  # FILL IN: take the # from hosts that you answer for too. Addresses of others are counted and never fetched."
            )
        }
        if !authorised.isEmpty || !waiting.isEmpty {
            lines.append(authorised.isEmpty ? "  # authorisedHosts:" : "  authorisedHosts:")
        }
        lines += authorised.map { "    - \(YAMLScalar.quoted($0.pattern))\($0.note)" }
        return lines
            + waiting.map { host in
                let places = host.places.joined(separator: ", ")
                guard secrets.isRepeated(in: host.name) else {
                    return "    # - \(YAMLScalar.quoted(host.name)) # \(places)"
                }
                let shown = YAMLScalar.comment(secrets.told(host.name))
                return "    # - \(shown) # \(places); its name has a secret of the URL in it"
            }
    }

    /// For an ad server that has the pods of announced breaks.
    var podServingAdvice: [String] {
        guard kind == .channel, facts.breaks.interstitials.count == 0,
            let found = facts.breaks.likelyClass({ [secrets] in !secrets.isRepeated(in: $0) })
        else { return [] }
        return [
            "# The channel announces breaks by EXT-X-DATERANGE, and who has their ads cannot be seen. Where your players ask an",
            "# ad server in the shape of Google's pod serving, FILL IN the event and put this in place of target and breaks, or",
            "# run podswarm init again with --ad-server, --network-code and --asset-key:",
            "#",
            "# target:",
            "#   podServing:",
            "#     contentURL: \(YAMLScalar.quoted(url))",
            "#     adServer: https://dai.google.com",
            "#     networkCode: \"21775744923\"",
            "#     customAssetKey: my-event",
            "#     authorisedHosts: [\(YAMLScalar.quoted(facts.address.origin.host)), dai.google.com]",
            "# breaks:",
            "#   source: \(DraftedBreaks.source(named: found.name))",
            "#   podDuration: \(DraftedBreaks.length(of: found.announced).text)",
            "#",
        ]
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
