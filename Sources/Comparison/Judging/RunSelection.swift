import Results

struct RunSelection {
    private(set) var base: [RunFigures]
    private(set) var candidate: [RunFigures]
    private(set) var comparability: Comparability
    private(set) var objections: [String] = []
    private(set) var notes: [String] = []

    var isSingle: Bool { base.count == 1 && candidate.count == 1 }

    init(
        base: [RunFigures],
        candidate: [RunFigures],
        options: ComparisonOptions,
        skipped: [LeftOutFile],
        unreadable: [Comparability.UnfitRun] = []
    ) {
        let check = ComparabilityCheck(options: options)
        var skipped = skipped
        var first = Self.distinct(base, &skipped)
        var second = Self.distinct(candidate, &skipped)
        let unfit = check.unfit(first + second) + unreadable
        if options.leavesUnfitAside {
            let paths = Set(unfit.filter { !$0.allowed }.map(\.path))
            first.removeAll { paths.contains($0.path) }
            second.removeAll { paths.contains($0.path) }
            skipped += unfit.filter { !$0.allowed }.map(LeftOutFile.init)
        }
        let kept = options.leavesUnfitAside ? unfit.filter(\.allowed) : unfit
        self.base = first
        self.candidate = second
        comparability = Comparability(
            comparable: true,
            differences: check.differences(first, second),
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

    /// A run given twice counts once.
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
