extension ProfileSection {
    func connectionPlan() -> ConnectionPlan {
        let timeouts = section("timeouts") { section in
            let range = ScalarRule.duration(.milliseconds(10) ... .seconds(600))
            return (
                connect: section.value("connect", range) ?? .seconds(8),
                firstByte: section.value("firstByte", range) ?? .seconds(10),
                total: section.value("total", range) ?? .seconds(30)
            )
        }
        return ConnectionPlan(
            version: value("protocol", .choice) ?? .http1,
            transport: value("transport", .choice) ?? .auto,
            verifiesTLS: !(value("insecure", .boolean) ?? false),
            caFile: file("caFile")?.resolved,
            clientCertificateFile: file("clientCertificate")?.resolved,
            clientKeyFile: file("clientKey")?.resolved,
            headers: headers(),
            acceptsCompression: value("compression", .boolean) ?? true,
            sourceAddresses: sourceAddresses(),
            connectTimeout: timeouts.connect,
            firstByteTimeout: timeouts.firstByte,
            totalTimeout: timeouts.total,
            maximumBodyBytes: value("maximumBody", .size(1024...(1 << 30))) ?? 16 << 20,
            maximumRedirects: value("maximumRedirects", .integer(0...50)) ?? 5,
            maximumHandshakes: value("maximumHandshakes", .integer(1...100_000)) ?? ConnectionPlan.usualHandshakes
        )
    }

    private func headers() -> [String: String] {
        var headers: [String: String] = [:]
        var seen: Set<String> = []
        for (name, value) in dictionary("headers", of: .headerValue) {
            headers[name] = value
            let field = fieldPath("headers.\(ShownValue.of(name))")
            let folded = name.lowercased()
            reading.rule(
                field,
                isBroken: !CharacterSets.isToken(name),
                message: "\"\(ShownValue.of(name))\" is not a header name",
                allowed: "a token (RFC 9110 section 5.6.2), such as X-Release"
            )
            reading.rule(
                field,
                isBroken: Self.ownHeaders.contains(folded),
                message: "podswarm sets this header itself"
            )
            reading.rule(
                field,
                isBroken: !seen.insert(folded).inserted,
                message: "stands twice, in different letter case"
            )
        }
        return headers
    }

    /// Framing belongs to the transport, identity to the swarm, and encodings to `compression`.
    private static let ownHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "te", "transfer-encoding", "upgrade",
        "x-podswarm-viewer",
    ]

    private func sourceAddresses() -> [String] {
        var seen: [IPAddress] = []
        let addresses = list("sourceAddresses", of: .ipAddress) ?? []
        for (text, field) in addresses {
            guard let address = IPAddress(text) else { continue }
            reading.rule(field, isBroken: seen.contains(address), message: "\"\(text)\" stands twice")
            seen.append(address)
        }
        return addresses.map(\.value)
    }

    func generatorPlan() -> GeneratorPlan {
        GeneratorPlan(
            loops: value("loops", .integer(1...256)),
            maximumLateness: value("maximumLateness", .duration(.milliseconds(1) ... .seconds(60)))
                ?? .milliseconds(100),
            maximumLoopDelay: value("maximumLoopDelay", .duration(.milliseconds(1) ... .seconds(60)))
                ?? .milliseconds(500),
            maximumResidentBytes: value("maximumMemory", .size((64 << 20)...(1 << 40))) ?? 4 << 30,
            spin: value("spin", .duration(.zero ... .milliseconds(1))) ?? .zero
        )
    }
}

extension ScalarRule<String> {
    fileprivate static var ipAddress: ScalarRule {
        text("a literal IPv4 or IPv6 address of this machine, such as 127.0.0.2").refusing { text in
            IPAddress(text) == nil ? "is not an IP address" : nil
        }
    }
}
