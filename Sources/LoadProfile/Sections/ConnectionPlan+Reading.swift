import AdServing
import ProfileSyntax

extension ConnectionPlan {
    /// Framing belongs to the transport, identity to the swarm, and encodings to `compression`.
    private static let ownHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "te", "transfer-encoding", "upgrade",
        "x-podswarm-viewer",
    ]

    /// Why no profile can have a header sent as it is.
    ///
    /// - Parameters:
    ///   - name: In any letter case.
    ///   - value: As it is to be sent.
    /// - Returns: A predicate without the value in it; nil where one can.
    package static func refusal(ofHeader name: String, value: String) -> String? {
        guard CharacterSets.isToken(name) else { return "is no name of a header" }
        guard !ownHeaders.contains(name.lowercased()) else { return "is a header that podswarm sets itself" }
        guard !value.isEmpty else { return "has no value" }
        if case .refused(let reason, _) = ScalarRule.headerValue.read(value) { return "has a value that \(reason)" }
        guard Placeholders.refusal(of: value, allowed: [], traits: []) == nil else {
            return "has a name in braces in its value, which a profile takes for a place to fill in"
        }
        return nil
    }

    init(reading section: ProfileSection) {
        let timeouts = section.section("timeouts") { timeouts in
            let range = ScalarRule.duration(.milliseconds(10) ... .seconds(600))
            return (
                connect: timeouts.value("connect", range) ?? .seconds(8),
                firstByte: timeouts.value("firstByte", range) ?? .seconds(10),
                total: timeouts.value("total", range) ?? .seconds(30)
            )
        }
        let limits = section.section("limits") { limits in
            var read = BodyLimits.usual
            for field in BodyLimits.fields {
                read[keyPath: field.value] = limits.value(field.name, Self.bodySize) ?? read[keyPath: field.value]
            }
            return read
        }
        self.init(
            version: section.value("protocol", .choice) ?? .http1,
            transport: section.value("transport", .choice) ?? .auto,
            verifiesTLS: !(section.value("insecure", .boolean) ?? false),
            caFile: section.file("caFile")?.resolved,
            clientCertificateFile: section.file("clientCertificate")?.resolved,
            clientKeyFile: section.file("clientKey")?.resolved,
            headers: Self.headers(reading: section, at: "headers"),
            headerHosts: (section.list("headerHosts", of: .hostPattern) ?? []).map(\.value),
            acceptsCompression: section.value("compression", .boolean) ?? true,
            clientData: section.section("cmcd") { ClientDataPlan(reading: $0) },
            keepsCookies: section.value("cookies", .boolean) ?? false,
            sourceAddresses: Self.sourceAddresses(reading: section, at: "sourceAddresses"),
            connectTimeout: timeouts.connect,
            firstByteTimeout: timeouts.firstByte,
            totalTimeout: timeouts.total,
            maximumBodyBytes: section.value("maximumBody", Self.bodySize) ?? 16 << 20,
            bodyLimits: limits,
            maximumRedirects: section.value("maximumRedirects", .integer(0...50)) ?? 5,
            maximumHandshakes: section.value("maximumHandshakes", .integer(1...100_000)) ?? Self.usualHandshakes,
            traceShare: section.value("traceShare", .share) ?? Self.usualTraceShare
        )
    }

    private static var bodySize: ScalarRule<Int> { .size(1024...(1 << 30)) }

    private static let mostHeaders = 100
    private static let mostHeaderBytes = 32 << 10
    /// Colon, space and line end.
    private static let lineOverhead = 4

    private static func headers(reading section: ProfileSection, at key: String) -> [String: String] {
        var headers: [String: String] = [:]
        var seen: Set<String> = []
        let given = section.dictionary(
            key,
            of: .headerValue.withPlaceholders(URLTemplatesPlan.viewerPlaceholders, section.reading.traits)
        )
        let bytes = given.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + lineOverhead }
        section.reading.rule(
            section.fieldPath(key),
            isBroken: given.count > mostHeaders || bytes > mostHeaderBytes,
            message: "\(given.count) headers of \(bytes) bytes with every request",
            allowed: "at most \(mostHeaders) headers of \(SizeText.of(mostHeaderBytes)) in all: servers refuse more"
        )
        for (name, value) in given {
            headers[name] = value
            if Redaction.hidesValues(of: name) { section.reading.note(secret: value) }
            let field = section.fieldPath("\(key).\(ShownValue.of(name))")
            let folded = name.lowercased()
            section.reading.rule(
                field,
                isBroken: !CharacterSets.isToken(name),
                message: "\"\(ShownValue.of(name))\" is not a header name",
                allowed: "a token (RFC 9110 section 5.6.2), such as X-Release"
            )
            section.reading.rule(
                field,
                isBroken: ownHeaders.contains(folded),
                message: "podswarm sets this header itself"
            )
            section.reading.rule(
                field,
                isBroken: !seen.insert(folded).inserted,
                message: "stands twice, in different letter case"
            )
        }
        return headers
    }

    private static func sourceAddresses(reading section: ProfileSection, at key: String) -> [String] {
        var seen: [IPAddress] = []
        let addresses = section.list(key, of: .ipAddress) ?? []
        for (text, field) in addresses {
            guard let address = IPAddress(text) else { continue }
            section.reading.rule(field, isBroken: seen.contains(address), message: "\"\(text)\" stands twice")
            seen.append(address)
        }
        return addresses.map(\.value)
    }
}

extension ClientDataPlan {
    fileprivate init?(reading section: ProfileSection) {
        let carriage: Carriage? = section.required("carriage", .choice)
        let contentID = section.value("contentID", .claim(section.reading.traits))
        guard section.isPresent, let carriage else { return nil }
        self.init(carriage: carriage, contentID: contentID)
    }
}

extension ScalarRule<String> {
    fileprivate static var ipAddress: ScalarRule {
        text("a literal IPv4 or IPv6 address of this machine, such as 127.0.0.2").refusing { text in
            IPAddress(text) == nil ? "is not an IP address" : nil
        }
    }
}
