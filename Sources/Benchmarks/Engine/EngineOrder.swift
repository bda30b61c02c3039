import ArgumentParser
import Transport

struct EngineOrder: Codable {
    enum Workload: String, Codable {
        /// Every viewer polls once; then each polls again as soon as it has been answered.
        case closedLoop
        /// Every viewer polls once; then they poll in turn at fixed instants.
        case openLoop
        /// Every viewer polls once; then all poll at one instant, by turns with a bare loop over the same connections.
        case burst
        /// A whole run of podswarm, measured when all its viewers are watching.
        case audience
    }

    /// The place of an audience's traits in its requests.
    enum Traits: String, Codable, CaseIterable {
        case none
        /// Ten, in the registration.
        case registered
        /// Ten, in a header each, shared by many viewers.
        case alike
        /// Ten, in a header each, of the viewer's own.
        case own
    }

    var workload: Workload
    var traits = Traits.none
    /// Scheme, address and port of the server.
    var origin: String
    var scheme: Scheme
    /// One connection for each viewer.
    var viewers: Int
    var caFile: String
    var carriers = CarrierChoice.auto
    /// Polls of an open loop leave together at whole multiples of it.
    var slotMicroseconds = 0
    /// Time before a deadline in which the loop reads the clock instead of sleeping.
    var spinMicroseconds = 0
    /// Duration of the loop, once all connections are open; 0 ends there.
    var seconds = 0
    /// Ends a closed loop after this many answers instead.
    var requests: Int?
    /// Rate of an open loop.
    var requestsPerSecond = 0
    /// Count of bursts.
    var repetitions = 0

    init(_ workload: Workload, _ scheme: Scheme, on bench: Bench, viewers: Int) {
        self.workload = workload
        origin = bench.server.origin(scheme)
        self.scheme = scheme
        self.viewers = viewers
        caFile = bench.server.certificate.file
        carriers = bench.carriers
    }

    var url: String { origin + NginxServer.playlistPath }

    /// An engine child that lives longer is stuck.
    var limitSeconds: Int { (requests == nil ? 60 : 30) + viewers / 100 + 2 * seconds + 4 * repetitions }
}

extension CarrierChoice: Codable, ExpressibleByArgument {}
