import AdServing
import HLS
package import Origin
package import Profile
import Rules
package import Transport
package import Values
package import Viewer

/// The reference origin for a virtual run: no socket, and no time but that of the run.
final class OriginTarget: VirtualTarget {
    let service: OriginService
    /// Loopback has two names: the multivariant playlist may be at the other one.
    private let names: [(base: String, authority: String, isAuthorised: Bool)]
    private let acceptsGzip: Bool
    private let countsGzip: Bool
    private let authorised: AuthorisedHosts
    /// Redirects in a row.
    private let redirectLimit: Int

    /// `countsGzip` gives uncompressed bodies the size of the compressed ones.
    init(_ origin: VirtualOrigin, authorised: AuthorisedHosts, acceptsGzip: Bool, countsGzip: Bool = false) {
        service = origin.service
        names = [origin.base, origin.base.replacing("://127.0.0.1", with: "://localhost")].map { base in
            let authority = base.firstRange(of: "://").map { String(base[$0.upperBound...]) } ?? base
            return (base, authority, authorised.permits(url: base))
        }
        (self.acceptsGzip, self.countsGzip, self.authorised) = (acceptsGzip, countsGzip, authorised)
        redirectLimit = origin.plan.connection.maximumRedirects
    }

    func closed(_ connection: VirtualConnection) { service.closed(connection) }

    func answer(_ asked: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        var fetched = VirtualAnswer(url: asked.request.url, releasedAt: now)
        var keepsMethod = true
        guard permits(fetched.url) else {
            fetched.failure = .unauthorisedHost
            return fetched
        }
        while let next = hop(asked, &fetched, &keepsMethod) {
            guard permits(next) else {
                fetched.failure = .unauthorisedHost
                return fetched
            }
            fetched.leftHost =
                fetched.leftHost || RequestTarget(url: next)?.host != RequestTarget(url: fetched.url)?.host
            fetched.url = next
            fetched.redirects += 1
        }
        return fetched
    }

    private func permits(_ url: String) -> Bool { place(of: url)?.isAuthorised ?? authorised.permits(url: url) }

    /// Returns the redirect's URL, if any.
    private func hop(_ asked: VirtualRequest, _ fetched: inout VirtualAnswer, _ keepsMethod: inout Bool) -> String? {
        let request = asked.request
        guard let (authority, target, _) = place(of: fetched.url) else {
            (fetched.status, fetched.body, fetched.headers) = (0, nil, [:])
            (fetched.address, fetched.flaws) = ("", [])
            // No other server exists in a virtual run.
            fetched.failure = .connectRefused
            return nil
        }
        var direct = DirectRequest(target: target, authority: authority, viewer: asked.viewer)
        direct.connection = asked.connection
        direct.method = keepsMethod ? request.method : .get
        direct.body = direct.method == .get ? [] : request.body ?? []
        direct.fields = (request.headers?.fields ?? []) + (acceptsGzip ? [("Accept-Encoding", "gzip")] : [])
        if fetched.redirects > 0, let index = direct.fields.firstIndex(where: { $0.name.lowercased() == "origin" }) {
            let redirected = request.redirected(to: fetched.url, keepsMethod: true, cookies: nil, isOfPage: true)
            direct.fields[index].value = redirected.headers?.origin ?? ""
        }
        var answer = service.answer(direct, at: fetched.releasedAt, countsGzip: countsGzip)
        answer.flaws.formUnion(fetched.flaws)
        (answer.url, answer.address) = (fetched.url, authority)
        (answer.redirects, answer.leftHost) = (fetched.redirects, fetched.leftHost)
        fetched = answer
        guard let redirect = RedirectStatus(answer.status), let location = answer.headers["location"] else {
            return nil
        }
        keepsMethod = keepsMethod && redirect.keepsMethod
        guard fetched.redirects < redirectLimit else {
            fetched.failure = .redirectLimit
            return nil
        }
        return URLReference.resolve(location, against: fetched.url) ?? location
    }

    /// nil for another host's URL.
    private func place(of url: String) -> (authority: String, target: String, isAuthorised: Bool)? {
        for (base, authority, isAuthorised) in names where url.utf8.starts(with: base.utf8) {
            let rest = url.utf8.dropFirst(base.utf8.count)
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
            return (authority, rest.isEmpty ? "/" : String(Substring(rest)), isAuthorised)
        }
        return nil
    }
}

/// The reference origin with the clock and the network of one virtual run.
package struct VirtualOrigin: Sendable {
    package let service: OriginService
    package let plan: LoadPlan
    package let endpoints: TargetEndpoints
    /// Both clocks when the first viewer may join.
    package let timebase: Timebase
    fileprivate let base: String
    private let clock: VirtualClock
    private let network: VirtualNetwork

    /// The clock must be unmoved, and the service without requests.
    package init(
        _ service: OriginService,
        before plan: LoadPlan,
        endpoints: TargetEndpoints,
        at base: String,
        from start: WallTime,
        on clock: VirtualClock,
        over network: VirtualNetwork
    ) {
        (self.service, self.plan, self.endpoints, self.base) = (service, plan, endpoints, base)
        (self.clock, self.network) = (clock, network)
        timebase = Timebase(start: clock.now, wallStart: start)
    }

    /// For viewers that may send to the authorised hosts.
    package func place(authorised: AuthorisedHosts) -> SwarmPlace {
        let target = OriginTarget(self, authorised: authorised, acceptsGzip: plan.connection.acceptsCompression)
        return .virtual(clock, target, network)
    }

    /// For viewers whose requests are counted; bodies are read uncompressed.
    func place(billedBy ledger: BillLedger) -> SwarmPlace {
        let target = OriginTarget(
            self,
            authorised: AuthorisedHosts(["127.0.0.1", "localhost"]),
            acceptsGzip: false,
            countsGzip: plan.connection.acceptsCompression
        )
        return .virtual(clock, BilledOrigin(target, ledger), network)
    }
}
