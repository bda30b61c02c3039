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

    var values: TextTemplate.Values {
        let ladder = facts.ladder.map { "a multivariant playlist of \(TextLayout.counted($0.variants, "variant"))" }
        var values: TextTemplate.Values = [
            "seen": [ladder ?? "one media playlist"], "url": [YAMLScalar.quoted(url)],
            "ownSecrets": secrets.all.filter { $0.part != .header }
                .map { "\($0.variable): \(YAMLScalar.comment($0.place))" },
            "authorised": authorised.map { "\(YAMLScalar.quoted($0.pattern))\($0.note)" },
            "waiting": facts.hosts.filter { !$0.isAllowed }.map(waiting),
        ]
        switch kind {
        case .channel: values.set("urlTemplates")
        case .mediaTailor(let session):
            values["server"] = [YAMLScalar.quoted(facts.address.origin.description)]
            values.merge(session.values) { $1 }
        case .podServing(let adServer):
            values.set("podServing")
            values["adServer"] = [YAMLScalar.quoted(adServer.url)]
            values["networkCode"] = [YAMLScalar.quoted(adServer.networkCode)]
            values["assetKey"] = [YAMLScalar.quoted(adServer.customAssetKey)]
        }
        return values
    }

    private func waiting(_ host: SeenHost) -> String {
        let places = host.places.joined(separator: ", ")
        let isSecret = secrets.isRepeated(in: host.name)
        let shown = isSecret ? YAMLScalar.comment(secrets.told(host.name)) : YAMLScalar.quoted(host.name)
        return "\(shown) # \(places)\(isSecret ? "; its name has a secret of the URL in it" : "")"
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

    fileprivate var values: TextTemplate.Values {
        var values: TextTemplate.Values = ["asset": [YAMLScalar.quoted(asset)], "insertion": [insertion.rawValue]]
        values.set("mediaTailor")
        values.set("stitchedSession", if: insertion == .stitched)
        // Only the answer to a POST names the tracking URL of a stitched session (user guide, "Client-side ad tracking").
        values.set("explicitSession", if: insertion == .stitched && reportsFromClient)
        values.set("reportsFromClient", if: reportsFromClient)
        for (group, name, value) in parameters {
            values[group, default: []].append("\(YAMLScalar.quoted(name)): \(YAMLScalar.quoted(value))")
        }
        return values
    }
}
