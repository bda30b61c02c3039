import AdServing
import Profile
package import Results
package import Rules
package import Transport
package import Viewer

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
        let named = fields.joined(separator: " and ")
        return LeftOutLedger.Key(kind, host: target.hostInProfile, field: named, redirect: refused.redirect)
    }

    func refusal(_ kind: RequestKind, of result: borrowing TransferResult) -> String? {
        guard let key = key(kind, of: result), let status = key.redirect else { return nil }
        guard !key.host.isEmpty else { return "status \(status) to an address that is not an http or https URL" }
        let remedy = key.field.isEmpty ? "" : "; to allow it, add \(key.host) to \(key.field)"
        return "status \(status) to \(key.host), which the profile does not authorise\(remedy)"
    }
}

/// Viewers that are pages in a browser, which hands them an answer from another origin only with its permission (Fetch standard,
/// "CORS check").
package struct BrowserPages {
    /// Indexed by persona.
    private let areBrowsers: [Bool]
    /// Whether requests have the `Origin` of a page; otherwise nothing is refused.
    package let haveOrigin: Bool
    private let sendCookies: Bool
    private let hosts: AuthorisedHosts
    /// Kinds and addresses whose answers were looked at, where requests have no `Origin`.
    private var seen: Set<UInt32> = []

    /// nil where no persona is in a browser.
    init?(_ personas: [PersonaShare], _ connection: ConnectionPlan, _ hosts: AuthorisedHosts) {
        areBrowsers = personas.map(\.persona.isInBrowser)
        guard areBrowsers.contains(true) else { return nil }
        self.hosts = hosts
        sendCookies = connection.keepsCookies
        haveOrigin = connection.headers.keys.contains { $0.lowercased() == "origin" }
    }

    /// Whether a viewer's requests are a page's, with its `Origin`.
    package func isPage(_ persona: UInt8) -> Bool { haveOrigin && areBrowsers[Int(persona)] }

    /// Why a page gets nothing of an answer, or of one that redirects; nil where it gets it.
    ///
    /// Errors bring a player nothing with permission either; that it sees their status, as with permission, is a simplification.
    package func refusal(of answer: borrowing TransferResult, to role: ViewerRole, persona: UInt8) -> Violation? {
        guard isReading(role, persona), answer.failure == nil || answer.failure == .corsRefused else { return nil }
        if answer.request?.method == .options { return refusal(ofPreflight: answer) }
        guard (200..<300).contains(answer.status) || RedirectStatus(answer.status) != nil else { return nil }
        return answer.crossOriginPermission?.refusal()
    }

    /// Browsers follow no redirect of a preflight, whose status is then none of success.
    package func refusal(ofPreflight answer: borrowing TransferResult) -> Violation? {
        guard answer.failure == nil || answer.failure == .corsRefused, var permission = answer.crossOriginPermission
        else { return nil }
        permission.sendsCookies = sendCookies
        let asked = answer.request?.headers?.fields.first { $0.name == CrossOriginPreflight.requestedNames }?.value
        return CrossOriginPreflight.refusal(
            of: (asked ?? "").split(separator: ",").map(String.init),
            status: answer.status,
            permission,
            allowedNames: answer.joined("access-control-allow-headers")
        )
    }

    /// Nil for a request that a page may send at once.
    package func preflight(before request: PreparedRequest, to role: ViewerRole, _ persona: UInt8)
        -> CrossOriginPreflight?
    {
        guard haveOrigin, isReading(role, persona), request.foreignPage != nil else { return nil }
        let fields = request.headers?.fields ?? []
        // The transport drops a customer's headers for other hosts.
        let isOwn = RequestTarget(url: request.url).map(hosts.areHeadersFor) ?? true
        return CrossOriginPreflight(
            method: request.method.rawValue,
            headers: isOwn ? fields : fields.filter { HeaderList.ofPlayers.contains($0.name.lowercased()) },
            own: [WireName.viewerHeader, TraceContext.headerName]
        )
    }

    /// Whether an answer is the first of its kind and address, to a request without `Origin`, and permits no page.
    mutating func isFirstWithoutPermission(
        _ answer: borrowing TransferResult,
        to role: ViewerRole,
        persona: UInt8
    ) -> Bool {
        guard !haveOrigin, isReading(role, persona), answer.isSuccess,
            seen.insert(UInt32(role.kind.rawValue) << 16 | UInt32(answer.connection.remote)).inserted
        else { return false }
        var isMissing = false
        answer.readHeader("access-control-allow-origin") { isMissing = $0 == nil }
        return isMissing
    }

    /// Whether the player reads the answer: tracking needs none.
    private func isReading(_ role: ViewerRole, _ persona: UInt8) -> Bool {
        areBrowsers[Int(persona)] && role != .verification && role != .beacon
    }
}
