import Foundation
import Results
import TestSupport
import Testing
import Values

/// The scripts of `Profiles/cluster/slurm`, as they are, on a real Slurm with three nodes.
///
/// Over sockets, because Slurm starts processes.
@Suite(.fewWaiting) struct SlurmTests {
    private static let scripts = PackageFolder.file("Profiles/cluster/slurm")

    /// The two jobs of the README: shards on three nodes, and the merge after them.
    private struct Jobs {
        let cluster: SlurmCluster
        let shards, merge: String

        init(_ profile: ShardProfile, on cluster: SlurmCluster) async throws {
            self.cluster = cluster
            let shared = cluster.folder.file("shared").path
            let variables = [
                "PODSWARM": try PodswarmExecutable.path(),
                "PODSWARM_PROFILE": try cluster.folder.write(profile.yaml, to: "shared/profile.yaml"),
                "PODSWARM_SHARED": shared,
            ]
            let script = scripts.appending(path: "shards.sbatch").path
            shards = try await cluster.submit([script, "--start-lead", "12s"], ["-N3"], variables)
            let merging = scripts.appending(path: "merge.sbatch").path
            merge = try await cluster.submit([merging, shards], ["--dependency=afterany:\(shards)"], variables)
        }

        var merged: ResultDocument {
            get throws {
                let files = cluster.folder.results(in: "shared/results")
                let file = files.filter { $0.lastPathComponent.hasSuffix("-\(shards)-merged.json") }
                return try ResultDocument(json: Data(contentsOf: try #require(file.first)))
            }
        }

        /// Records of a shard's journal that are whole.
        func records(of shard: Int) -> Int {
            let files = cluster.folder.files(in: "shared/results")
            let file = files.first { $0.lastPathComponent.hasSuffix("-\(shards)-shard-\(shard)-of-3.journal") }
            return file.flatMap { try? Data(contentsOf: $0) }?.count { $0 == 0x0a } ?? 0
        }
    }

    @Test func aGangOfShardsBecomesOneResult() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await SlurmCluster.running { cluster in
                let jobs = try await Jobs(ShardProfile(origin: origin.url, viewers: 31), on: cluster)
                let status = try await cluster.ended(jobs.shards)
                #expect(status == 0, "\(cluster.output(of: jobs.shards))")
                // All that the nodes have.
                let resources = cluster.facts(of: jobs.shards)["Tres"]?.split(separator: ",") ?? []
                #expect(resources.contains("mem=3000M"), "\(resources)")
                let verdict = try await cluster.ended(jobs.merge)
                #expect(verdict == 0, "\(cluster.output(of: jobs.merge))")
                let merged = try jobs.merged
                #expect(merged.verdict.outcome == .passed && merged.run.shard == nil)
                #expect(merged.shards?.map(\.state) == [.ended, .ended, .ended])
                #expect(merged.shards?.map(\.viewers) == [11, 10, 10])
                #expect(merged.viewers["joined"] == 31)
                #expect(merged.breaks.each.map(\.due) == [31, 31])
                #expect(cluster.output(of: jobs.merge).contains("Shards  3 of 3 whole"))
            }
        }
    }

    @Test func aNodeThatDiesInTheMiddleIsNamedAndWhatItsShardDidCounts() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await SlurmCluster.running(patience: 12) { cluster in
                // Longer than Slurm takes to call the node down, so that the others must survive that.
                let jobs = try await Jobs(ShardProfile(origin: origin.url, duration: "45s"), on: cluster)
                #expect(try await Patience.sees { jobs.records(of: 1) > 6 }, "\(cluster.output(of: jobs.shards))")
                cluster.kill("n2")
                let told = jobs.records(of: 1)
                // Slurm is content: what became of the shards only the merge knows.
                _ = try await cluster.ended(jobs.shards)
                let verdict = try await cluster.ended(jobs.merge)
                #expect(verdict == 3, "\(cluster.output(of: jobs.merge))")
                let merged = try jobs.merged
                #expect(merged.verdict.outcome == .incomplete && merged.verdict.exitCode == 3)
                #expect(merged.verdict.reasons.contains { $0.contains("shard 1 of 3") && $0.contains("cut off") })
                let shards = try #require(merged.shards)
                #expect(shards.map(\.state) == [.ended, .cutOff, .ended], "\(cluster.output(of: jobs.shards))")
                // The journal begins with a header and a checkpoint.
                #expect(shards[1].recovered?.intervals ?? 0 >= told - 2)
                #expect(shards[1].requests ?? 0 > 0)
                let requests = merged.requests.values.reduce(0) { $0 + $1.count }
                #expect(shards.reduce(0) { $0 + ($1.requests ?? 0) } == requests)
            }
        }
    }
}
