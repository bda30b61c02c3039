extension FindingCode {
    /// Derived when loops are merged, because no viewer can see it alone.
    package static let breakIdentifierSplit = FindingCode(
        code: "break_identifier_split",
        severity: .broken,
        meaning: "Viewers of one break asked for different pod identifiers, so they were shown different pods.",
        rule: "Google Ad Manager, pod serving: every viewer of a break requests the same pod identifier",
        likelyCauses: [
            "The player names the pod after its own clock, for example the minute of the click, not after the break.",
            "Clocks of viewers disagree around a rounding boundary.",
            "Some viewers saw another announcement of the break, from another variant or a stale edge cache.",
        ]
    )
}
