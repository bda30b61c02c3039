import LoadProfile
import Testing

@testable import Swarm

/// What stands in the way of a plan on a machine with these limits.
@Suite struct PreflightTests {
    private static let roomy = Preflight.Limits(softDescriptors: 1024, hardDescriptors: 1 << 20, ports: 28_232)

    private func problems(viewers: Int, _ limits: Preflight.Limits, _ change: (inout LoadPlan) -> Void = { _ in })
        -> [String]
    {
        let plan = LoadPlan.forTests {
            $0.audience.viewers = viewers
            change(&$0)
        }
        return Preflight.problems(of: plan, limits: limits)
    }

    @Test(arguments: [
        (448, 1024, 28_232, 0), (449, 1024, 28_232, 1), (14_116, 1 << 20, 28_232, 0), (14_117, 1 << 20, 28_232, 1),
        (20_000, 1024, 28_232, 2), (1, 0, 0, 2),
    ])
    func limitsAreCheckedToTheLastConnection(viewers: Int, descriptors: Int, ports: Int, count: Int) {
        let limits = Preflight.Limits(softDescriptors: 1, hardDescriptors: descriptors, ports: ports)
        #expect(self.problems(viewers: viewers, limits).count == count)
    }

    @Test func http2NeedsHalfTheConnections() {
        #expect(self.problems(viewers: 28_232, Self.roomy) { $0.connection.version = .http2 }.isEmpty)
        #expect(self.problems(viewers: 28_233, Self.roomy) { $0.connection.version = .http2 }.count == 1)
    }

    @Test func moreSourceAddressesCarryMoreConnections() {
        let addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4"]
        let many = self.problems(viewers: 40_000, Self.roomy) { $0.connection.sourceAddresses = addresses }
        #expect(many.isEmpty)
    }

    @Test func theRemedySaysHowManyWouldDo() throws {
        let ports = try #require(self.problems(viewers: 40_000, Self.roomy).first)
        #expect(ports.contains("at least 3 addresses"))
        let limits = Preflight.Limits(softDescriptors: 1024, hardDescriptors: 1128, ports: 28_232)
        let descriptors = try #require(self.problems(viewers: 5000, limits).first)
        #expect(descriptors.contains("--viewers 500"))
        #expect(descriptors.contains("ulimit -Hn 10128"))
    }

    @Test func thisMachineHasLimits() {
        let limits = Preflight.Limits.ofThisMachine()
        #expect(limits.softDescriptors > 0)
        #expect(limits.hardDescriptors >= limits.softDescriptors)
        #expect(limits.ports > 0)
    }
}
