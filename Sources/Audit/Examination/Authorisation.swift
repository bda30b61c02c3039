package import Results
package import Rules
package import Transport

/// Names the settings of a profile that would allow a refused request.
package struct Authorisation {
    let hosts: AuthorisedHosts
    /// The profile's field of authorised hosts; nil for the embedded origin.
    let field: String?

    /// Nil for a request that was not refused.
    package func key(_ kind: RequestKind, of result: borrowing TransferResult) -> LeftOutLedger.Key? {
        guard let refused = result.refused else { return nil }
        guard let target = refused.target else {
            return LeftOutLedger.Key(kind, host: "", field: "", redirect: refused.redirect)
        }
        // A host that may not get the profile's headers gets no request with a body either.
        var fields = hosts.permits(target) ? [] : [field ?? ""]
        if fields.isEmpty || refused.hasBody && field != nil && !hosts.areHeadersFor(target) {
            fields.append("connection.headerHosts")
        }
        return LeftOutLedger.Key(
            kind,
            host: target.hostInProfile,
            field: fields.joined(separator: " and "),
            redirect: refused.redirect
        )
    }

    func refusal(_ kind: RequestKind, of result: borrowing TransferResult) -> String? {
        guard let key = key(kind, of: result), let status = key.redirect else { return nil }
        guard !key.host.isEmpty else { return "status \(status) to an address that is not an http or https URL" }
        let remedy = key.field.isEmpty ? "" : "; to allow it, add \(key.host) to \(key.field)"
        return "status \(status) to \(key.host), which the profile does not authorise\(remedy)"
    }
}
