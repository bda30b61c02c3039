import AdServing
package import Values

package struct ConnectionPlan: Sendable, Equatable, ProfileFields {
    package var version = HTTPVersion.http1
    package var transport = CarrierChoice.auto
    package var verifiesTLS = true
    package var caFile: String? = nil
    package var clientCertificateFile: String? = nil
    package var clientKeyFile: String? = nil
    package var headers: [String: String] = [:]
    package var headerHosts: [String] = []
    package var acceptsCompression = true
    package var clientData: ClientDataPlan? = nil
    package var keepsCookies = false
    package var waitsForRetryAfter = false
    package var sourceAddresses: [String] = []
    package var resolve: [String] = []
    package var connectTo: [String] = []
    package var proxy: ProxyAddress? = nil
    package var noProxy: [String] = []
    package var nameServers: [String] = []
    package var nameTimeToLive: Duration? = nil
    package var connectTimeout = Duration.seconds(8)
    package var firstByteTimeout = Duration.seconds(10)
    package var totalTimeout = Duration.seconds(30)
    package var maximumBodyBytes = 16 << 20
    package var bodyLimits = BodyLimits.usual
    package var maximumRedirects = 5
    package var maximumHandshakes = 256
    package var maximumLifetime: Duration? = nil
    package var maximumRequests: Int? = nil
    /// Finds some of each kind in a target's traces without filling its store.
    package var traceShare = 0.01

    package static let fields = FieldList(
        ConnectionPlan(),
        conditions: [
            ("dependentRequired", .dependent([("clientCertificate", "clientKey"), ("clientKey", "clientCertificate")]))
        ]
    ) { f in
        f.add("protocol", \.version, .choice(refused: ["http3": "cannot be had: Debian's libcurl has no HTTP/3"]))
        f.add("insecure", \.isInsecure, .boolean, .apart)
        f.digest { $2.add("\($1).verifiesTLS", String($0.verifiesTLS)) }
        f.add("caFile", \.caFile, .resolvedFile)
        f.add("clientCertificate", \.clientCertificateFile, .resolvedFile)
        f.add("clientKey", \.clientKeyFile, .resolvedFile)
        f.add("headers", \.headers, headerRule)
        f.add("compression", \.acceptsCompression, .boolean)
        f.add("cookies", \.keepsCookies, .boolean, .unlessUsual)
        f.add("retryAfter", \.waitsForRetryAfter, .boolean, .unlessUsual)
        f.add("cmcd", \.clientData, .section)
        f.add("headerHosts", \.headerHosts, .list(of: .hostPattern, .sortedApart))
        f.add("sourceAddresses", \.sourceAddresses, addressRule)
        f.add("resolve", \.resolve, .list(of: .fixedLookUp), [.free, .unlessUsual])
        f.add("connectTo", \.connectTo, .list(of: .otherPlace), [.free, .unlessUsual])
        f.add("proxy", \.proxy, .proxy, .free, or: "none")
        f.add("noProxy", \.noProxy, .list(of: .proxyException), [.free, .unlessUsual])
        f.group("dns") {
            $0.add("servers", \.nameServers, .list(of: .nameServer), [.free, .unlessUsual])
            $0.add("ttl", \.nameTimeToLive, .duration(.seconds(1) ... .seconds(86_400)), .free, or: "the answer's")
        }
        f.group("timeouts") {
            let limit = ScalarRule<Duration>.duration(.milliseconds(10) ... .seconds(600))
            $0.add("connect", \.connectTimeout, limit)
            $0.add("firstByte", \.firstByteTimeout, limit)
            $0.add("total", \.totalTimeout, limit)
        }
        f.add("maximumBody", \.maximumBodyBytes, bodySize)
        f.add("limits", \.bodyLimits, .section)
        f.add("maximumRedirects", \.maximumRedirects, .integer(0...50))
        f.add("transport", \.transport, .choice, .unlessUsual)
        f.add("maximumHandshakes", \.maximumHandshakes, .integer(1...100_000), .unlessUsual)
        f.add("maximumLifetime", \.maximumLifetime, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("maximumRequests", \.maximumRequests, .integer(1...65_535))
        f.add("traceShare", \.traceShare, .share, .unlessUsual)
    }

    package mutating func settle(_ section: ProfileSection) {
        for (given, missing) in [("clientCertificate", "clientKey"), ("clientKey", "clientCertificate")] {
            section[given, missing, if: section.has(given) && !section.has(missing)] =
                "needs connection.\(missing) beside it"
        }
        section["insecure", "caFile", if: !verifiesTLS && caFile != nil] =
            "verifies nothing, so connection.caFile has no effect; leave one of them out"
        section["maximumRequests", "transport", if: maximumRequests != nil && transport == .curl] =
            "has no effect on libcurl, which does not count them; leave it out or set connection.transport to auto"
        section["protocol", "transport", if: version == .http2 && transport == .curl] =
            "http2 is spoken without TLS too, which podswarm does not ask of libcurl; "
            + "allowed: http1 or http2-or-http1 with connection.transport: curl"
        for (name, timeout) in [("connect", connectTimeout), ("firstByte", firstByteTimeout)] {
            section["timeouts.\(name)", "timeouts.total", if: timeout > totalTimeout] =
                "\(timeout.text) is longer than the total of \(totalTimeout.text)"
        }
        section["noProxy", "proxy", if: proxy == nil && !noProxy.isEmpty] =
            "has no effect without connection.proxy"
    }

    static var bodySize: ScalarRule<Int> { .size(1024...(1 << 30)) }

    private var isInsecure: Bool {
        get { !verifiesTLS }
        set { verifiesTLS = !newValue }
    }

    /// Framing belongs to the transport, identity to the swarm, encodings to `compression`.
    private static let ownHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "te", "transfer-encoding", "upgrade",
        "x-podswarm-viewer",
    ]

    /// Reason as a predicate without the value; nil if a profile can set the header.
    package static func refusal(ofHeader name: String, value: String) -> String? {
        guard CharacterSets.isToken(name) else { return "is not a valid header name" }
        guard !ownHeaders.contains(name.lowercased()) else { return "is a header that podswarm sets itself" }
        guard !value.isEmpty else { return "has no value" }
        if case .refused(let reason, _) = ScalarRule.headerValue.read(value) { return "has a value that \(reason)" }
        guard isFit(value, for: name) else { return "has a value that is not an origin; allowed: \(originForm)" }
        guard Placeholders.refusal(of: value, allowed: [], traits: []) == nil else {
            return "has a name in braces in its value, which a profile takes for a place to fill in"
        }
        return nil
    }

    private static let mostHeaders = 100
    private static let mostHeaderBytes = 32 << 10
    /// Colon, space and line end.
    private static let lineOverhead = 4

    private static func headers(reading section: ProfileSection, at key: String) -> [String: String] {
        var headers: [String: String] = [:]
        var seen: Set<String> = []
        let given = section.dictionary(
            key,
            of: .headerValue.withPlaceholders(Placeholders.ofContent, section.reading.traits)
        )
        let bytes = given.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + lineOverhead }
        section[key, if: given.count > mostHeaders || bytes > mostHeaderBytes] =
            "\(given.count) headers of \(bytes) bytes with every request; "
            + "allowed: at most \(mostHeaders) headers of \(SizeText.of(mostHeaderBytes)) in all: servers refuse more"
        for (name, value) in given {
            headers[name] = value
            if Redaction.hidesValues(of: name) { section.reading.note(secret: value) }
            let field = section.fieldPath("\(key).\(ShownValue.of(name))")
            let folded = name.lowercased()
            section.reading[field, if: !CharacterSets.isToken(name)] =
                "\"\(ShownValue.of(name))\" is not a header name; "
                + "allowed: a token (RFC 9110 section 5.6.2), such as X-Release"
            section.reading[field, if: ownHeaders.contains(folded)] = "podswarm sets this header itself"
            section.reading[field, if: !isFit(value, for: name)] =
                "\"\(ShownValue.of(value))\" is not an origin; allowed: \(originForm)"
            section.reading[field, if: !seen.insert(folded).inserted] = "stands twice, in different letter case"
        }
        return headers
    }

    private static let originForm =
        "scheme, host and port of the page in lower case, without a slash at the end, such as https://www.example.com"

    /// False for an `Origin` that no browser sends (Fetch standard, "Origin header"); true where traits make it up.
    private static func isFit(_ text: String, for header: String) -> Bool {
        guard header.lowercased() == "origin", !text.contains("{"), text != "null" else { return true }
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex else { return false }
        let host = text[mark.upperBound...]
        let hasUsualPort = text.hasPrefix("https") ? host.hasSuffix(":443") : host.hasSuffix(":80")
        return !host.isEmpty && !hasUsualPort && text == text.lowercased() && !host.contains { "/?#@, ".contains($0) }
    }

    private static var headerRule: FieldRule<[String: String]> {
        FieldRule(
            allowed: "a mapping",
            schema: SchemaNode.mapping(
                to: .members([("type", .list([.text("string"), .text("number"), .text("boolean")]))])
            )
            .with("propertyNames", .members([("pattern", .text("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"))])),
            addLines: { headers, path, form in
                let credentials: Set<String> = ["authorization", "cookie", "proxy-authorization"]
                let folded = headers.map { ($0.lowercased(), $1) }
                let harmless = folded.map { ($0, credentials.contains($0) ? "" : $1) }
                form.add(path, Dictionary(harmless, uniquingKeysWith: { first, _ in first }))
            },
            read: { section, key, _ in headers(reading: section, at: key) }
        )
    }

    private static var addressRule: FieldRule<[String]> {
        FieldRule(
            allowed: "a list",
            schema: SchemaNode.list(of: .type("string")).with("uniqueItems", .boolean(true)),
            addLines: { $2.add($1, $0) },
            read: { section, key, _ in
                var seen: [IPAddress?] = []
                let allowed = "a literal IPv4 or IPv6 address of this machine, such as 127.0.0.2"
                let address = ScalarRule<String>.text(allowed, schema: .type("string"))
                    .refusing { IPAddress($0) == nil ? "is not an IP address" : nil }
                let addresses = section.list(key, of: address) ?? []
                for (text, field) in addresses {
                    section.reading[field, if: seen.contains(IPAddress(text))] = "\"\(text)\" stands twice"
                    seen.append(IPAddress(text))
                }
                return addresses.map(\.value)
            }
        )
    }
}

/// Common Media Client Data (CTA-5004), which players send to CDNs with each request.
package struct ClientDataPlan: Sendable, Equatable, ProfileFields {
    package enum Carriage: String, Sendable, CaseIterable {
        case query, header
    }

    package var carriage = Carriage.query
    package var contentID: String? = nil

    package static let fields = FieldList(ClientDataPlan()) { f in
        f.add("carriage", \.carriage, .choice, .required)
        f.add("contentID", \.contentID, .claim(f.traits))
    }
}

/// Maximum bytes per decoded body; `maximumBodyBytes` limits them all.
///
/// A parsed body costs a viewer several times its length.
package struct BodyLimits: Sendable, Equatable, ProfileFields {
    package var registration = 1 << 20
    package var multivariant = 4 << 20
    package var playlist = 8 << 20
    package var pod = 256 << 10
    package var metadata = 4 << 20
    package var assetList = 1 << 20
    package var steering = 256 << 10

    package static let fields = FieldList(BodyLimits()) { f in
        let size = ConnectionPlan.bodySize
        f.add("registration", \.registration, size, .unlessUsual)
        f.add("multivariant", \.multivariant, size, .unlessUsual)
        f.add("playlist", \.playlist, size, .unlessUsual)
        f.add("pod", \.pod, size, .unlessUsual)
        f.add("metadata", \.metadata, size, .unlessUsual)
        f.add("assetList", \.assetList, size, .unlessUsual)
        f.add("steering", \.steering, size, .unlessUsual)
    }
}
