extension FindingCode {
    /// Derived when loops are merged, because no viewer can see it alone.
    package static let podMismatch = FindingCode(
        code: "pod_mismatch",
        severity: .broken,
        meaning: "Sessions that must match got different pods for the same identifier.",
        rule: "Google Ad Manager, pod serving: equal targeting and an equal identifier give an equal pod",
        likelyCauses: [
            "Servers behind one name decide independently of each other.",
            "An edge cache serves the pod of another identifier.",
            "Personalisation was on although the sessions' targeting is equal.",
        ]
    )
}
