import Testing

@testable import Tools

@Suite struct MachineTests {
    private static let small = Machine(cores: 1, memoryBytes: 1, descriptors: 1, ports: 1)

    @Test func whatIsSaidChangesAndTheRestStays() {
        var machine = Self.small
        #expect(machine.set("cores=2.5,memory=16GiB,bandwidth=10Gbps,packets=5000").isEmpty)
        var expected = Self.small
        expected.cores = 2.5
        expected.memoryBytes = 17_179_869_184
        expected.bitsPerSecond = 1e10
        expected.packetsPerSecond = 5_000
        #expect(machine == expected)
    }

    @Test(arguments: [
        "", "cores", "cores=", "cores=-1", "cores=0", "cores=nan", "memory=16", "disk=1", "bandwidth=1e3Gbps",
    ])
    func whatIsNoMachineIsToldWithWhatWouldBe(text: String) {
        var machine = Self.small
        #expect(machine.set(text).first?.contains(" written as ") == true)
        #expect(machine.set("core=3").first?.hasPrefix("--machine core=3: did you mean cores? ") == true)
        #expect(machine == Self.small)
    }

    @Test func everyMistakeIsToldAtOnce() {
        var costs = CostTable()
        #expect(costs.set(["cpu=1", "usableCores=2", "bodyFactor=x"]).count == 3)
    }

    @Test func aCostThatIsGivenSaysSo() {
        var costs = CostTable()
        #expect(costs.set(["bodyFactor=20"]).isEmpty)
        #expect(costs[.bodyFactor] == 20)
        #expect(costs.source(of: .bodyFactor) == "given by --cost")
        #expect(Cost.allCases.filter { CostTable().source(of: $0).isEmpty }.isEmpty)
    }
}
