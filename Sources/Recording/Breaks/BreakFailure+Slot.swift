import Rulebook

extension BreakFailure {
    private static let slots = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    /// Its index among the counts of one break.
    var slot: Int { Self.slots[self] ?? 0 }
}

extension SkipReason {
    private static let slots = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    /// Its index among the counts of one break.
    var slot: Int { Self.slots[self] ?? 0 }
}
