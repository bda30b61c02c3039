import Results
import Rules

/// Finds fields in which two sets of runs must agree and do not, and runs without certain information on their target.
struct ComparabilityCheck {
    let options: ComparisonOptions

    private struct Field: Sendable {
        var aspect: ComparisonOptions.Aspect
        var name: String
        var value: @Sendable (RunFigures) -> String
    }

    /// A profile's other fields only explain why its digest differs.
    private static let fields: [Field] = [
        Field(aspect: .profile, name: "profile") { $0.run.profile },
        Field(aspect: .profile, name: "profile_digest") { shortened($0.run.profileDigest) },
        Field(aspect: .profile, name: "workload_digest") { shortened($0.run.workloadDigest ?? "unknown") },
        Field(aspect: .profile, name: "seed") { String($0.run.seed) },
        Field(aspect: .profile, name: "viewers") { asked("viewers", $0) },
        Field(aspect: .profile, name: "duration_s") { asked("duration", $0) },
        Field(aspect: .host, name: "cpu_model") { $0.run.host.cpuModel },
        Field(aspect: .host, name: "cpu_count") { String($0.run.host.cpuCount) },
        Field(aspect: .host, name: "memory") { memory($0.run.host.memoryBytes) },
        Field(aspect: .host, name: "architecture") { $0.run.host.architecture },
        Field(aspect: .host, name: "kernel_major") { String($0.run.host.kernel.prefix { $0 != "." }) },
        Field(aspect: .host, name: "shared_with_target") { $0.run.host.sharedWithTarget ? "yes" : "no" },
        Field(aspect: .host, name: "loops") { String($0.run.loops) },
        Field(aspect: .transport, name: "transports") { $0.run.transports.sorted().joined(separator: " + ") },
        Field(aspect: .transport, name: "tls_verified") { $0.run.tlsVerified.map { $0 ? "yes" : "no" } ?? "no TLS" },
    ]

    /// One difference for each field in which runs differ, within a side or between the sides.
    func differences(_ base: [RunFigures], _ candidate: [RunFigures]) -> [Comparability.Difference] {
        guard !base.isEmpty, !candidate.isEmpty else { return [] }
        let left = Self.fieldsLeftOut(base + candidate)
        return Self.fields.filter { !left.contains($0.name) }.compactMap { field in
            let values = Set((base + candidate).map(field.value))
            guard values.count > 1 else { return nil }
            let (before, after) = (Self.counted(base, field), Self.counted(candidate, field))
            return Comparability.Difference(
                aspect: field.aspect.rawValue,
                field: field.name,
                base: before,
                candidate: after,
                allowed: options.allowed.contains(field.aspect),
                text: "\(field.name) differs: base \(before.joined(separator: ", "))"
                    + "; candidate \(after.joined(separator: ", "))"
            )
        }
    }

    /// Two targets have two profiles; the workload digest decides if every run has one.
    private static func fieldsLeftOut(_ runs: [RunFigures]) -> Set<String> {
        runs.allSatisfy { $0.run.workloadDigest != nil } ? ["profile", "profile_digest"] : ["workload_digest"]
    }

    /// One entry for each run and aspect that makes it unfit.
    func unfit(_ runs: [RunFigures]) -> [Comparability.UnfitRun] {
        runs.flatMap { run in
            let client = run.health.reasons.isEmpty ? ["the generator was over its budget"] : run.health.reasons
            let doubts: [(ComparisonOptions.Aspect?, Bool, [String])] = [
                (nil, run.verdict.outcome == .defect, ["a defect of podswarm"] + run.verdict.reasons),
                (.interrupted, run.run.interrupted, ["interrupted before its end"]),
                (.aborted, run.run.abortedBy != nil, ["aborted: \(run.run.abortedBy ?? "")"]),
                (.clientLimited, !run.health.withinBudget, client.map { "client-limited: \($0)" }),
                (.suspect, run.health.suspect, ["suspect: durations that no distribution could hold"]),
            ]
            return doubts.filter(\.1).map { aspect, _, reasons in
                Comparability.UnfitRun(
                    path: run.path,
                    aspect: aspect?.rawValue,
                    allowed: aspect.map(options.allowed.contains) ?? false,
                    reasons: reasons
                )
            }
        }
    }

    private static func counted(_ runs: [RunFigures], _ field: Field) -> [String] {
        let groups = Dictionary(grouping: runs, by: field.value)
        return groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { value, runs in
            // Names the odd runs of a mixed side, so that the user can leave them out.
            let paths = groups.count > 1 && runs.count <= 3 ? ": " + runs.map(\.path).joined(separator: ", ") : ""
            return "\(value) (\(runs.count) \(runs.count == 1 ? "run" : "runs")\(paths))"
        }
    }

    private static func asked(_ name: String, _ run: RunFigures) -> String {
        run.run.asked.first { $0.name == name }?.requested.map(MetricText.number) ?? "unknown"
    }

    /// A prefix that distinguishes digests; the runs have the whole.
    private static func shortened(_ digest: String) -> String {
        digest.count > 20 ? digest.prefix(19) + "…" : digest
    }

    /// To the nearest GiB: kernels reserve a varying part.
    private static func memory(_ bytes: Int64) -> String {
        "\(Int((Double(bytes) / 1_073_741_824).rounded())) GiB"
    }
}
