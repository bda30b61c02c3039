import Foundation
import TestSupport
import Testing

/// How many machines `podswarm plan` says that an audience needs.
@Suite(.fewAtOnce) struct MachinePlanTests {
    private struct Machines: Decodable {
        struct Resource: Decodable {
            var name: String
            var perShard: Double
            var fewestShards: Int?
        }

        var schema: String
        var viewersCounted: Int
        var shards: Int
        var viewersPerShard: Int
        var fits: Bool
        var resources: [Resource]
        var refusals: [String]
    }

    private static let profile = PackageFolder.file("Profiles/scale.yaml").path

    private static func json(_ more: [String], status: Int32) async throws -> ChildProcess.End {
        let end = try await PodswarmExecutable.run(["plan", profile, "--duration", "60s", "--json"] + more)
        guard end.status == status else { throw ChildProcess.Failure(end: end) }
        return end
    }

    private static func machines(_ more: [String], status: Int32 = 0) async throws -> Machines {
        let end = try await json(more, status: status)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Machines.self, from: Data(end.output.utf8))
    }

    @Test func aMillionViewersAreDividedOverMachinesOfAKind() async throws {
        let kind = "cores=8,memory=16GiB,descriptors=30128,ports=28232,addresses=2,bandwidth=10Gbps"
        let few = ["--viewers", "1000000", "--machine", kind, "--cost", "cpuMicrosecondsPerRequest=0"]
        let plan = try await Self.machines(few + ["--shards", "auto", "--cost", "cpuMicrosecondsPerKilobyte=0"])
        #expect(plan.schema == "podswarm.sizing")
        #expect(plan.viewersCounted < 1_000_000)
        // A connection each, as a run asks for: 30,000 viewers in 30,000 descriptors beside those of the process.
        #expect(plan.shards == 34)
        #expect(plan.viewersPerShard == 29_412)
        #expect(plan.fits && plan.refusals.isEmpty)
        // On loopback a run takes source addresses by itself.
        #expect(plan.resources.first { $0.name == "ports" }?.fewestShards == 1)
    }

    @Test func aShardThatIsTooLargeIsToldWithHowManyFit() async throws {
        let small = ["--viewers", "1500", "--machine", "descriptors=600", "--shards"]
        let plan = try await Self.machines(small + ["3"], status: 2)
        #expect(!plan.fits)
        let reason = "descriptors: a shard needs more than a machine may give; it fits from 4 shards on"
        #expect(plan.refusals == [reason])
        #expect(try await Self.json(small + ["3"], status: 2).errors.contains(reason))
        #expect(try await Self.machines(small + ["4"]).fits)
    }

    @Test func theSchemaFitsWhatFitsAndWhatDoesNot() async throws {
        let machine = ["--viewers", "1500", "--machine", "cores=4,descriptors=600,bandwidth=1Gbps", "--shards"]
        let printed = try await PodswarmExecutable.run(["result", "schema", "--sizing"])
        let schema = try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any]
        let required = try #require(schema?["required"] as? [String])
        for (shards, status) in [("auto", Int32(0)), ("3", 2)] {
            let document = Data(try await Self.json(machine + [shards], status: status).output.utf8)
            #expect(try await PrintedSchema.complaints(by: "--sizing", about: document) == "")
            let strange = try await PrintedSchema.complaints(by: "--sizing", about: document) { $0["other"] = 1 }
            #expect(strange != "")
            for name in required {
                let less = try await PrintedSchema.complaints(by: "--sizing", about: document) { $0[name] = nil }
                #expect(less.contains("'\(name)'"), "\(name): \(less)")
            }
        }
    }

    @Test func shardsOfTheEmbeddedOriginAreWarnedOf() async throws {
        let folder = try TemporaryFolder()
        let profile = try folder.write(FastProfile.embedded.yaml, to: "profile.yaml")
        let end = try await PodswarmExecutable.run(["plan", profile, "--shards", "50", "--viewers", "20"])
        #expect(end.status == 2)
        #expect(end.output.contains("refused while the target is the embedded origin"))
        #expect(end.output.contains("30 of the shards have no viewer"))
        #expect(end.output.contains("cpuMicrosecondsPerRequest"))
    }

    @Test func aShardThatDoesNotFitItsMachineIsToldOfItselfAndOfMoreShards() async throws {
        let folder = try TemporaryFolder()
        let profile = PackageFolder.file("Profiles/scale.yaml").path
        let command =
            "ulimit -n 256; exec \"$0\" run \(profile) --shard 1/4 --rendezvous '\(folder.path)' --run-id small"
        let end = try await ExternalTool.bash.run(["-c", command, try PodswarmExecutable.path()])
        #expect(end.status == 2)
        #expect(end.errors.contains("the 3750 viewers of shard 1 of 4 need at least 3878 file descriptors"))
        #expect(end.errors.contains("or divide the audience over at least 118 shards"))
    }
}
