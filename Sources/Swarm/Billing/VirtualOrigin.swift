package import Origin
package import Profile
package import Transport
package import Values
package import Viewer

/// The reference origin in this process, with the clock and the network of one virtual run.
package struct VirtualOrigin: Sendable {
    package let service: OriginService
    package let plan: LoadPlan
    package let endpoints: TargetEndpoints
    /// Both clocks when the first viewer may join.
    package let timebase: Timebase
    private let base: String
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

    /// Clock and transport of viewers who may send to the authorised hosts.
    package func place(authorised: AuthorisedHosts) -> SwarmPlace {
        let acceptsGzip = plan.connection.acceptsCompression
        return .virtual(clock, target(acceptsGzip: acceptsGzip, authorised: authorised), network)
    }

    /// Clock and transport of viewers whose requests are counted; bodies are read uncompressed.
    func place(billedBy ledger: BillLedger) -> SwarmPlace {
        let target = target(
            acceptsGzip: false,
            countsGzip: plan.connection.acceptsCompression,
            authorised: AuthorisedHosts(["127.0.0.1", "localhost"])
        )
        return .virtual(clock, BilledOrigin(target, ledger), network)
    }

    private func target(acceptsGzip: Bool, countsGzip: Bool = false, authorised: AuthorisedHosts) -> OriginTarget {
        OriginTarget(
            service,
            at: base,
            acceptsGzip: acceptsGzip,
            countsGzip: countsGzip,
            authorised: authorised,
            redirectLimit: plan.connection.maximumRedirects
        )
    }
}
