extension FindingCode {
    package static let podChangedOnRepeat = FindingCode(
        code: "pod_changed_on_repeat",
        severity: .wrong,
        meaning: "The same session asked for the same pod twice and got a different one.",
        rule: "Google Ad Manager, pod serving: a pod is decided once for a stream and identifier",
        likelyCauses: [
            "The ad decision is not stored with the session and is made anew.",
            "A fail-over host decided for itself.",
            "The pod was still being filled when it was asked for first.",
        ]
    )
}
