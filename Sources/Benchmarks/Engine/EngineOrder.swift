import ArgumentParser
import Transport

/// What an engine child is told, as its only argument.
struct EngineOrder: Codable {
    enum Workload: String, Codable {
        /// Every viewer asks once; then each asks again as soon as it has been answered.
        case closedLoop
        /// Every viewer asks once; then they are polled in turn at fixed instants.
        case openLoop
        /// Every viewer asks once; then all ask at one instant, by turns with a bare loop over the same connections.
        case burst
        /// A whole run of podswarm, looked at when all its viewers are watching.
        case audience
    }

    /// What the viewers of an audience say of themselves.
    enum Traits: String, Codable, CaseIterable {
        case none
        /// Ten, where a viewer registers.
        case registered
        /// Ten, in a header each, of which many viewers have the same.
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
    /// How long the loop reads the clock before a deadline instead of sleeping.
    var spinMicroseconds = 0
    /// Of the loop, when all connections are open; 0 ends there.
    var seconds = 0
    /// Ends a closed loop after so many answers instead.
    var requests: Int?
    /// Of an open loop.
    var requestsPerSecond = 0
    /// Of a burst.
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

    /// An engine child that is still there after this long is stuck.
    var limitSeconds: Int { (requests == nil ? 60 : 30) + viewers / 100 + 2 * seconds + 4 * repetitions }
}

extension CarrierChoice: Codable, ExpressibleByArgument {}
