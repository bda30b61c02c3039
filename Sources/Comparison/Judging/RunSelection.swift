import Results
import Rules

/// A fact in which both sides must agree.
struct ComparedField<Run>: Sendable {
    /// Nil for a difference that cannot be allowed: the figures would describe different things.
    var aspect: ComparisonOptions.Aspect?
    var name: String
    var value: @Sendable (Run) -> String
}

extension ComparisonOptions {
    private typealias Field = ComparedField<RunFigures>

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
        Field(aspect: .host, name: "memory") { $0.run.host.memory },
        Field(aspect: .host, name: "architecture") { $0.run.host.architecture },
        Field(aspect: .host, name: "kernel_major") { String($0.run.host.kernel.prefix { $0 != "." }) },
        Field(aspect: .host, name: "shared_with_target") { $0.run.host.sharedWithTarget ? "yes" : "no" },
        Field(aspect: .host, name: "loops") { String($0.run.loops) },
        Field(aspect: .transport, name: "transports") { $0.run.transports.sorted().joined(separator: " + ") },
        Field(aspect: .transport, name: "tls_verified") { $0.run.tlsVerified.map { $0 ? "yes" : "no" } ?? "no TLS" },
    ]

    /// Fields in which runs must agree and do not, within a side or between the sides.
    fileprivate func differences(_ base: [RunFigures], _ candidate: [RunFigures]) -> [Comparability.Difference] {
        guard !base.isEmpty, !candidate.isEmpty else { return [] }
        // Two targets have two profiles, so workload digests decide if every run has one.
        let haveWorkload = (base + candidate).allSatisfy { $0.run.workloadDigest != nil }
        let left: Set = haveWorkload ? ["profile", "profile_digest"] : ["workload_digest"]
        return Self.fields.filter { !left.contains($0.name) }.compactMap { field in
            guard Set((base + candidate).map(field.value)).count > 1 else { return nil }
            let (before, after) = (Self.counted(base, field), Self.counted(candidate, field))
            let values = "base \(before.joined(separator: ", ")); candidate \(after.joined(separator: ", "))"
            return difference(field, before, after, text: "\(field.name) differs: \(values)")
        }
    }

    func difference<Run>(
        _ field: ComparedField<Run>,
        _ base: [String],
        _ candidate: [String],
        text: String
    ) -> Comparability.Difference {
        .init(
            aspect: field.aspect?.rawValue ?? field.name,
            field: field.name,
            base: base,
            candidate: candidate,
            allowed: field.aspect.map(allowed.contains) ?? false,
            text: text
        )
    }

    /// Runs without certain information.
    fileprivate func unfit(_ runs: [RunFigures]) -> [Comparability.UnfitRun] {
        runs.flatMap { run in
            let client = run.health.reasons.isEmpty ? ["the generator was over its budget"] : run.health.reasons
            let doubts: [(Aspect?, Bool, [String])] = [
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
                    allowed: aspect.map(allowed.contains) ?? false,
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

    private static func shortened(_ digest: String) -> String { digest.count > 20 ? digest.prefix(19) + "…" : digest }
}

/// Runs of both sides, which `ReleaseComparison` judges.
struct RunSelection {
    let options: ComparisonOptions
    private(set) var base: [RunFigures]
    private(set) var candidate: [RunFigures]
    private(set) var comparability: Comparability
    private(set) var objections: [String] = []
    private(set) var notes: [String] = []

    init(
        base: [RunFigures],
        candidate: [RunFigures],
        options: ComparisonOptions,
        skipped: [LeftOutFile],
        unreadable: [LeftOutFile] = []
    ) {
        self.options = options
        var skipped = skipped
        var first = Self.distinct(base, &skipped)
        var second = Self.distinct(candidate, &skipped)
        let unfit =
            options.unfit(first + second)
            + unreadable.map { .init(path: $0.path, aspect: nil, allowed: false, reasons: [$0.reason]) }
        if options.leavesUnfitAside {
            let paths = Set(unfit.filter { !$0.allowed }.map(\.path))
            first.removeAll { paths.contains($0.path) }
            second.removeAll { paths.contains($0.path) }
            skipped += unfit.filter { !$0.allowed }.map(LeftOutFile.init)
        }
        let kept = options.leavesUnfitAside ? unfit.filter(\.allowed) : unfit
        (self.base, self.candidate) = (first, second)
        comparability = Comparability(
            comparable: true,
            differences: options.differences(first, second),
            unfitRuns: kept,
            skippedFiles: skipped
        )
        objections = objectionsToRuns() + objectionsToDifferences()
        comparability.comparable = objections.isEmpty
        notes = Self.notes(first, second)
    }

    private func objectionsToRuns() -> [String] {
        var objections: [String] = []
        if base.isEmpty { objections.append("there is no run on the base's side") }
        if candidate.isEmpty { objections.append("there is no run on the candidate's side") }
        let known = Set(base.map(\.identity))
        objections += candidate.filter { known.contains($0.identity) }.map { "\($0.path) is on both sides" }
        for unfit in comparability.unfitRuns where !unfit.allowed {
            objections.append("\(unfit.path): \(unfit.reasons.joined(separator: "; "))")
        }
        return objections
    }

    private func objectionsToDifferences() -> [String] {
        let forbidden = comparability.differences.filter { !$0.allowed }
        var objections = forbidden.map(\.text)
        let fields = Set(forbidden.map(\.field))
        if fields == ["profile_digest"], Set((base + candidate).map(\.run.target)).count > 1 {
            objections.append(
                "name, seed, viewers and duration are equal and the targets' addresses differ, which the digest holds"
                    + " too: if nothing else was changed, --allow-different profile"
            )
        }
        return objections
    }

    private static func distinct(_ runs: [RunFigures], _ skipped: inout [LeftOutFile]) -> [RunFigures] {
        var paths: [String: String] = [:]
        var kept: [RunFigures] = []
        for run in runs {
            if let known = paths[run.identity] {
                guard known != run.path else { continue }
                skipped.append(LeftOutFile(path: run.path, reason: "the same run as \(known)"))
            } else {
                paths[run.identity] = run.path
                kept.append(run)
            }
        }
        return kept.sorted(by: RunFigures.isEarlier)
    }

    private static func notes(_ base: [RunFigures], _ candidate: [RunFigures]) -> [String] {
        var notes: [String] = []
        if base.count + candidate.count > 2, let reason = notInterleaved(base, candidate) { notes.append(reason) }
        let versions = Set((base + candidate).map(\.podswarmVersion)).sorted()
        if versions.count > 1 {
            notes.append("The runs were made with podswarm \(versions.joined(separator: " and ")).")
        }
        notes += ChangedMeaning.among((base + candidate).map(\.schemaVersion)).map {
            "Not compared, since its meaning changed with result version \($0.since): \($0.text)"
        }
        return notes
    }

    /// A change of the surroundings between two blocks of runs looks like a change of the release.
    private static func notInterleaved(_ base: [RunFigures], _ candidate: [RunFigures]) -> String? {
        guard let baseFirst = base.first, let baseLast = base.last, let first = candidate.first,
            let last = candidate.last
        else { return nil }
        let isBaseFirst = baseLast.run.startedAtMicroseconds < first.run.startedAtMicroseconds
        let isBaseLast = last.run.startedAtMicroseconds < baseFirst.run.startedAtMicroseconds
        guard isBaseFirst || isBaseLast else { return nil }
        return "All runs of one side were made before all of the other, so what else changed in between counts as the"
            + " release. Runs that take turns do not have this doubt."
    }
}
