import Testing

@testable import Tools

@Suite struct MachineTests {
    private static let small = Machine(cores: 1, memoryBytes: 1, descriptors: 1, ports: 1)

    @Test func whatIsSaidChangesAndTheRestStays() throws {
        var machine = Self.small
        try machine.set("cores=2.5,memory=16GiB,bandwidth=10Gbps,packets=5000")
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
        #expect { try machine.set(text) } throws: { error in
            (error as? SizingMistake)?.problems.first?.contains(" written as ") == true
        }
        #expect(machine == Self.small)
    }

    @Test func everyMistakeIsToldAtOnce() {
        #expect { try CostTable(["cpu=1", "usableCores=2", "bodyFactor=x"]) } throws: { error in
            (error as? SizingMistake)?.problems.count == 3
        }
    }

    @Test func aCostThatIsGivenSaysSo() throws {
        let costs = try CostTable(["bodyFactor=20"])
        #expect(costs[.bodyFactor] == 20)
        #expect(costs.source(of: .bodyFactor) == "given by --cost")
        #expect(costs.source(of: .usableCores) == Cost.usableCores.source)
    }
}
