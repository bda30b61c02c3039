extension TriggerPlan {
    init(reading section: ProfileSection) {
        self.init()
        lead = section.value("lead", .duration(.milliseconds(100) ... .seconds(600))) ?? Self.usualLead
        mostPerMinute = section.value("mostPerMinute", .integer(1...60)) ?? Self.usualMostPerMinute
        http = section.value("http", .loopbackAddress)
        token = section.secret("token")
        readsStandardInput = section.value("standardInput", .boolean) ?? false
        file = section.file("file")?.written
        section.reading.rule(
            section.path,
            isBroken: section.isPresent && !section.has("http") && !readsStandardInput && !section.has("file"),
            message: "nobody can call for a break",
            allowed: "one of http, standardInput: true and file, or several of them"
        )
        section.reading.rule(
            section.fieldPath("token"),
            section.fieldPath("http"),
            isBroken: token != nil && !section.has("http"),
            message: "has no effect without http"
        )
    }
}

extension ScalarRule<TriggerPlan.Address> {
    /// Whoever can ask for breaks can spend somebody's money: nobody on another machine is to.
    fileprivate static var loopbackAddress: ScalarRule {
        let allowed = "an address of loopback and a port, such as 127.0.0.1:8090 or [::1]:8090; port 0 takes a free one"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            guard text.utf8.count <= 64, let colon = text.lastIndex(of: ":") else { return .refused("has no port") }
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy(QuantityText.isDigit), let port = UInt16(digits) else {
                return .refused("has a port that is no number from 0 to 65535")
            }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            let isLoopback = host == "localhost" || IPAddress(host)?.isLoopback ?? false
            guard isLoopback else { return .refused("is not on loopback") }
            return .value(TriggerPlan.Address(host: host, port: Int(port)))
        }
    }
}
