import Destinations
import Recording
import Rulebook
import Transport

/// Names what a profile would have to say so that a request is sent.
struct Authorisation {
    let hosts: AuthorisedHosts
    /// Where the profile names authorised hosts; nil for the embedded origin.
    let field: String?

    /// How a request that was refused is counted; nil for one that was not.
    func key(_ kind: RequestKind, of result: borrowing TransferResult) -> LeftOutLedger.Key? {
        guard result.failure == .unauthorisedHost else { return nil }
        guard let target = result.refusedTarget else { return LeftOutLedger.Key(kind, host: "", field: "") }
        // A request with a body is refused at a host that may be asked and is not to have the profile's headers.
        let missing = hosts.permits(target) ? "connection.headerHosts" : field ?? ""
        return LeftOutLedger.Key(kind, host: target.hostInProfile, field: missing)
    }
}
