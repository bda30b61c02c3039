package import Results

/// Identity of a run or of a capacity search: profile, labels, machine, start.
package protocol ResultDescription {
    var profile: String { get }
    var profileDigest: String { get }
    var labels: [String: String] { get }
    var host: HostFacts { get }
    var startedAtMicroseconds: Int64 { get }
    var endedAtMicroseconds: Int64 { get }
}

extension RunDescription: ResultDescription {}
extension SearchDescription: ResultDescription {}

/// A result with a place in a history and on a side of a comparison.
package protocol DatedResult {
    associatedtype Description: ResultDescription

    var path: String { get }
    var about: Description { get }
    var outcomeName: String { get }
    /// Text that must be equal besides profile and machine.
    var rule: String { get }
    /// The reason why it gives no certain information on its target; nil if it does.
    var doubt: String? { get }
    /// Equal for copies of one result.
    var identity: String { get }
}

extension DatedResult {
    static func isEarlier(_ first: Self, _ second: Self) -> Bool {
        (first.about.startedAtMicroseconds, first.path) < (second.about.startedAtMicroseconds, second.path)
    }

    var startedAt: String { UTCText.iso8601(microseconds: about.startedAtMicroseconds) }
}

/// Inputs as the user wrote them, and the results in them.
package struct InputSide<Dated: DatedResult & Sendable>: Sendable {
    var inputs: [String]
    package var runs: [Dated]

    package init(inputs: [String], runs: [Dated]) { (self.inputs, self.runs) = (inputs, runs) }

    /// The labels that its results share and no other has; else the inputs.
    func title(apartFrom others: [Dated]) -> String {
        let shared = (runs.first?.about.labels ?? [:]).filter { label in
            runs.allSatisfy { $0.about.labels[label.key] == label.value }
                && !others.contains { $0.about.labels[label.key] == label.value }
        }
        // A repetition's side is meaningful only if nothing else distinguishes the sides.
        let given = shared.filter { !RepetitionLabels.names.contains($0.key) }
        let telling = given.isEmpty ? shared.filter { $0.key == RepetitionLabels.side } : given
        let words = telling.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return words.isEmpty ? inputs.joined(separator: ", ") : words.joined(separator: " ")
    }
}

extension HostFacts {
    /// Machines of one class give comparable figures.
    var hostClass: String {
        let memory = Int((Double(memoryBytes) / 1_073_741_824).rounded())
        let place = sharedWithTarget ? "target on the same machine" : "target elsewhere"
        return "\(cpuCount) × \(cpuModel), \(memory) GiB, \(architecture), \(place)"
    }
}

extension RunFigures: DatedResult {
    package var about: RunDescription { run }
    package var outcomeName: String { verdict.outcome.rawValue }
    package var rule: String { "" }

    package var doubt: String? {
        if verdict.outcome == .defect { return "a defect of podswarm" }
        if let shard = run.shard, shard.count > 1 {
            return "shard \(shard.index) of \(shard.count), not the whole run"
        }
        if run.interrupted { return "interrupted before its end" }
        if let abortedBy = run.abortedBy { return "aborted: \(abortedBy)" }
        guard health.withinBudget else {
            return (["client-limited"] + health.reasons.prefix(1)).joined(separator: ": ")
        }
        return health.suspect ? "durations that no distribution could hold" : nil
    }

    package var identity: String {
        "\(run.profileDigest) \(run.startedAtMicroseconds) \(run.endedAtMicroseconds) \(run.target)"
    }
}

/// Labels by which a comparison finds the sides of a repetition.
package enum RepetitionLabels {
    /// One of two targets that take turns.
    package static let side = "side"
    package static let names: Set = [side, "series", "repeat"]
}
