import Swarm
import Testing

@testable import Tools

/// What a bill comes to in cores, memory, bits and packets.
@Suite struct AudienceDemandTests {
    /// 100 viewers for ten seconds; one second with a thousand requests and a megabyte, one in which half of them join.
    private static func demand(isSecure: Bool = false, loops: Int? = nil) -> AudienceDemand {
        AudienceDemand(
            viewers: 100,
            leastConnectionsPerViewer: 2,
            connectionsPerViewer: 3,
            connectionsToOneServer: 2,
            isSecure: isSecure,
            meanSecond: RunBill.Second(atSeconds: 0, requests: 400, bodyBytes: 200_000, joins: 10),
            busySeconds: [
                RunBill.Second(atSeconds: 5, requests: 1_000, bodyBytes: 1_000_000, joins: 0),
                RunBill.Second(atSeconds: 0, requests: 100, bodyBytes: 10_000, joins: 50),
            ],
            loops: loops,
            memoryBudgetBytes: 5_000
        )
    }

    private static func costs(_ more: [String] = []) -> CostTable {
        var costs = CostTable()
        let mistakes = costs.set(
            [
                "cpuMicrosecondsPerRequest=100", "cpuMicrosecondsPerSecureRequest=50", "cpuMicrosecondsPerKilobyte=10",
                "cpuMicrosecondsPerHandshake=1000", "coresOfProcess=0.5", "memoryBytesOfProcess=1000",
                "memoryBytesPerViewer=10", "memoryBytesPerSecureConnection=20", "headBytesPerRequest=500",
                "packetsPerRequest=3", "packetsPerKilobyte=2", "usableCores=0.5", "usableMemory=0.5",
            ] + more
        )
        #expect(mistakes.isEmpty)
        return costs
    }

    @Test func theBusiestSecondDecides() {
        let needs = Self.demand().needs(Self.costs())
        // 1,000 requests of 100 µs and 1,000 kB of 10 µs are 110 ms.
        #expect(needs[.cores]?.fixed == 0.5)
        #expect(abs((needs[.cores]?.of(100) ?? 0) - 0.61) < 1e-9)
        #expect(needs[.memory]?.of(100) == 2_000)
        #expect(needs[.ports]?.of(100) == 100)
        #expect(needs[.descriptors]?.of(100) == 328)
        #expect(abs((needs[.bandwidth]?.of(100) ?? 0) - 12_000_000) < 1e-3)
        #expect(abs((needs[.packets]?.of(100) ?? 0) - 5_000) < 1e-6)
    }

    @Test func ofTLSTheSecondInWhichMostJoinMayBeTheBusiest() {
        let needs = Self.demand(isSecure: true).needs(Self.costs())
        // 1,000 requests of 150 µs and the bodies are 160 ms; 50 viewers with 3 handshakes of 1 ms, and 100 requests, 165.1.
        #expect(abs((needs[.cores]?.of(100) ?? 0) - 0.6651) < 1e-9)
        #expect(needs[.memory]?.of(100) == 8_000)
    }

    @Test func theMeanIsOfTheWholeRun() {
        let means = Self.demand().averages(Self.costs(["bodyFactor=2"]))
        // 400 requests of 100 µs and 2 x 200 kB of 10 µs in a second.
        #expect(abs((means[.cores]?.of(100) ?? 0) - 0.544) < 1e-9)
        #expect(abs((means[.bandwidth]?.of(100) ?? 0) - 4_800_000) < 1e-3)
        #expect(means[.memory] == nil)
    }

    @Test func aMachineGivesWhatMayBeUsedOfIt() {
        let machine = Machine(cores: 8, memoryBytes: 6_000, descriptors: 1_024, ports: 100, addresses: 3)
        let costs = Self.costs()
        let available = Self.demand().available(machine, costs)
        #expect(available == [.descriptors: 1_024, .ports: 300, .cores: 4, .memory: 3_000])
        // No more threads work than the profile says, and its own budget of memory is no more than a machine's.
        #expect(Self.demand(loops: 2).available(machine, costs)[.cores] == 1)
        let large = Machine(cores: 8, memoryBytes: 1e9, descriptors: 1_024, ports: 100)
        #expect(Self.demand().available(large, costs)[.memory] == 5_000)
    }
}
