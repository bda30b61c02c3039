import Recording
import Rules
import Transport

/// Names the profile setting that would authorise a refused request.
struct Authorisation {
    let hosts: AuthorisedHosts
    /// The profile's field of authorised hosts; nil for the embedded origin.
    let field: String?

    /// The ledger's key of a refused request; nil for one that was not refused.
    func key(_ kind: RequestKind, of result: borrowing TransferResult) -> LeftOutLedger.Key? {
        guard result.failure == .unauthorisedHost else { return nil }
        guard let target = result.refusedTarget else { return LeftOutLedger.Key(kind, host: "", field: "") }
        // The host is authorised but may not get the profile's headers, and so no request with a body either.
        let missing = hosts.permits(target) ? "connection.headerHosts" : field ?? ""
        return LeftOutLedger.Key(kind, host: target.hostInProfile, field: missing)
    }
}
