extension FindingCode {
    package static let podDurationOff = FindingCode(
        code: "pod_duration_off",
        severity: .wrong,
        meaning: "The pod is longer or shorter than the break it fills, so viewers return at the wrong moment.",
        rule: "Google Ad Manager, pod serving: pd is the duration of the pod in milliseconds",
        likelyCauses: [
            "The break was under-filled or over-filled and no slate made up for it.",
            "The durations of transcoded creatives differ from the booked ones.",
            "pd was read in seconds.",
        ]
    )
}
