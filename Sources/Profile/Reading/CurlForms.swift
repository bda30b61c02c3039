import Values

// Forms of curl; their effect is written at each field.

extension ScalarRule<String> {
    /// `--resolve` of curl (https://curl.se/docs/manpage.html#--resolve), without its marks `+` and `-`.
    static var fixedLookUp: ScalarRule {
        let allowed = "HOST:PORT:ADDRESS[,ADDRESS], such as cdn.example.com:443:192.0.2.1"
        return text(allowed, schema: .type("string")).refusing { text in
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return "does not have the three parts HOST:PORT:ADDRESS" }
            guard parts[0] == "*" || Authority.isHostName(withoutFinalDot(parts[0])) else {
                return "begins with text that is not a host name"
            }
            guard isPort(parts[1]) else { return "has no port from 1 to 65535 after the host" }
            for address in parts[2].split(separator: ",", omittingEmptySubsequences: false)
            where IPAddress(address.withoutBrackets) == nil {
                return "names \"\(ShownValue.of(String(address)))\", which is not an IP address"
            }
            return nil
        }
    }

    /// `--connect-to` of curl (https://curl.se/docs/manpage.html#--connect-to).
    static var otherPlace: ScalarRule {
        let allowed = "HOST1:PORT1:HOST2:PORT2, such as cdn.example.com:443:canary.example.com:8443; each may be empty"
        return text(allowed, schema: .type("string")).refusing { text in
            let parts = partsOutsideBrackets(text)
            guard parts.count == 4 else { return "does not have the four parts HOST1:PORT1:HOST2:PORT2" }
            for host in [parts[0], parts[2]] where !host.isEmpty {
                let isHost =
                    host.hasPrefix("[")
                    ? IPAddress(host.withoutBrackets)?.isVersion6 == true
                    : Authority.isHostName(withoutFinalDot(host))
                guard isHost else { return "names \"\(ShownValue.of(String(host)))\", which is not a host" }
            }
            for port in [parts[1], parts[3]] where !port.isEmpty && !isPort(port) {
                return "names \"\(ShownValue.of(String(port)))\", which is not a port"
            }
            return parts[2].isEmpty && parts[3].isEmpty ? "leads to where it comes from" : nil
        }
    }

    static var nameServer: ScalarRule {
        let allowed = "an IP address or ADDRESS:PORT, such as 192.0.2.53 or [2001:db8::53]:5353"
        return text(allowed, schema: .type("string")).refusing { text in
            if IPAddress(text) != nil { return nil }
            guard let authority = Authority(text[...]), IPAddress(authority.host.withoutBrackets) != nil else {
                return "is not the address of a name server"
            }
            return nil
        }
    }

    /// An entry of `CURLOPT_NOPROXY` (https://curl.se/libcurl/c/CURLOPT_NOPROXY.html).
    static var proxyException: ScalarRule {
        let allowed = "a host, which stands for those below it too, an IP address, a network such as 10.0.0.0/8, or *"
        return text(allowed, schema: .type("string")).refusing { text in
            if text == "*" || IPNetwork(text) != nil { return nil }
            guard !text.contains(":") else { return "has a port or a scheme, which are not looked at" }
            let name = text.hasPrefix(".") ? text.dropFirst() : text[...]
            return Authority.isHostName(withoutFinalDot(name)) ? nil : "is not a host"
        }
    }

    private static func partsOutsideBrackets(_ text: String) -> [Substring] {
        var isInBrackets = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            return character == ":" && !isInBrackets
        }
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy(\.isDigit) && Int(text).map { 1...65535 ~= $0 } == true
    }

    private static func withoutFinalDot(_ text: Substring) -> String {
        String(text.hasSuffix(".") ? text.dropLast() : text)
    }
}

extension ScalarRule<ProxyAddress> {
    /// `--proxy` of curl (https://curl.se/docs/manpage.html#-x) with scheme and port, never printed: it may hold a password.
    fileprivate static var proxy: ScalarRule {
        var rule = ScalarRule(
            allowed: "SCHEME://[USER:PASSWORD@]HOST:PORT with the scheme http, https, socks5 or socks5h, such as "
                + "http://proxy.example.com:3128; ${NAME} stands for an environment variable",
            spell: \.description
        ) { text in
            guard let mark = text.firstRange(of: "://"),
                let scheme = ProxyAddress.Scheme(rawValue: text[..<mark.lowerBound].lowercased())
            else { return .refused("does not begin with http://, https://, socks5:// or socks5h://") }
            let rest = text[mark.upperBound...]
            let at = rest.lastIndex(of: "@")
            let place = at.map { rest[rest.index(after: $0)...] } ?? rest
            guard let authority = Authority(place.hasSuffix("/") ? place.dropLast() : place), let port = authority.port
            else { return .refused("has no valid host with a port from 1 to 65535") }
            let credentials = at.map {
                rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    .map(PercentEncoding.decode)
            }
            guard credentials?.allSatisfy({ 1...255 ~= $0.utf8.count }) != false else {
                return .refused("has a user or password that is empty or longer than 255 bytes (RFC 1929 section 2)")
            }
            guard credentials?.contains(where: CharacterSets.hasControlCharacter) != true else {
                return .refused("holds a control character")
            }
            return .value(
                ProxyAddress(
                    scheme: scheme,
                    host: authority.host.withoutBrackets,
                    port: port,
                    user: credentials?.first,
                    password: credentials?.dropFirst().first
                )
            )
        }
        (rule.isSecret, rule.hidesEnvironment) = (true, true)
        return rule
    }
}

extension FieldRule<ProxyAddress> {
    /// A proxy whose password is known as a secret from then on.
    static var proxy: FieldRule {
        var rule = FieldRule(ScalarRule<ProxyAddress>.proxy)
        rule.read = { section, key, _ in
            let proxy = section.value(key, ScalarRule<ProxyAddress>.proxy)
            if let password = proxy?.password { section.reading.note(secret: password) }
            return proxy
        }
        return rule
    }
}
