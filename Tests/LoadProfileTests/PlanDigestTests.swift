import Profile
import TestSupport
import Testing

/// Digests tell which runs were of one plan, and of one workload whichever target it was asked of.
@Suite struct PlanDigestTests {
    /// Overrides of the profile in each file of `PlanDigests`, each behind what it changes; no two change it alike.
    @Test(arguments: try CaseFile.all(in: "Tests/LoadProfileTests/PlanDigests"))
    func anOverrideChangesTheseDigests(_ file: CaseFile) throws {
        let base = try Samples.plan(file.text)
        var digests: [String] = []
        let lines = try file.expected.map { line in
            let override = try #require(line.split(separator: ": ", maxSplits: 1).last).description
            let plan = try Samples.plan(file.text, set: override)
            guard plan.digest != base.digest else { return "nothing: \(override)" }
            digests.append(plan.digest)
            return (plan.workloadDigest == base.workloadDigest ? "digest: " : "digest and workload: ") + override
        }
        try file.expect(lines)
        #expect(Set(digests).count == digests.count)
    }

    /// Results of earlier versions are compared by them.
    @Test func haveNotChangedSinceFieldsWereAdded() throws {
        #expect(try Samples.plan().digest.wholeMatch(of: /591820c5896c[0-9a-f]{52}/) != nil)
        #expect(try Samples.plan().workloadDigest.hasPrefix("b727c595dc7f"))
    }

    @Test func areTheSameWhateverTheSpelling() throws {
        let plain = """
            name: evening
            description: one
            duration: 60s
            target: embedded
            audience: {viewers: 10, churnPerMinute: 5%}
            breaks: {source: {every: 20s}, podDuration: 10s}
            thresholds: [findings.* == 0, playlist.errors < 1%]
            allowFindings: [empty_pod, pod_mismatch]
            """
        let other = """
            # The same plan in another order, with defaults spelled out and comments.
            allowFindings: [pod_mismatch, "empty_pod"]
            thresholds:
              - 'playlist.errors < 1%' # second first
              - findings.* == 0
            breaks:
              grace: 1000ms
              source:
                offset: 0s
                every: 20000ms
            audience:
              ramp: 10s
              churnPerMinute: 0.05
              viewers: 10
            target: {embedded: {tls: false, segmentDuration: 2s}}
            seed: 1
            duration: 1m
            """
        #expect(try Samples.plan(plain).digest == Samples.plan(other).digest)
        #expect(try Samples.plan(Samples.minimal + "seed: 7\n").digest == Samples.plan(set: "seed=7").digest)
    }

    /// A planted fault is how the embedded origin stands in for a bad release.
    @Test func theWorkloadLeavesOutPlannedFaults() throws {
        let folder = try TemporaryFolder()
        try folder.write("[]", to: "faults.yaml")
        let path = try folder.write(Samples.minimal, to: "evening.yaml")
        let faulty = try ProfileReader()
            .read(contentsOf: path, overrides: [Override(parsing: "target.embedded.faults=faults.yaml")])
        let plain = try ProfileReader().read(contentsOf: path)
        #expect(plain.digest != faulty.digest)
        #expect(plain.workloadDigest == faulty.workloadDigest)
    }
}
