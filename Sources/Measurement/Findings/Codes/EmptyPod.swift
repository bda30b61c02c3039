extension FindingCode {
    package static let emptyPod = FindingCode(
        code: "empty_pod",
        severity: .broken,
        meaning: "The pod answered with success but holds nothing to play.",
        rule: "Google Ad Manager, pod serving: a pod manifest lists the segments of the pod",
        likelyCauses: [
            "No ad and no slate was booked for the break.",
            "The ad decision timed out and the packager published what it had.",
            "The pod was requested before it existed.",
        ]
    )
}
