/// Faults of steering manifests and signed addresses.
enum SteeringFaults {
    static let all: [FaultKind] = [
        // Leaves TTL out.
        .setting("steering_manifest_invalid", \.steering, to: .withoutTimeToLive, of: [.steering]),
        // Adds a pathway that no variant has.
        .setting("steering_pathway_unknown", \.steering, to: .withStrangePathway, of: [.steering]),
        // Signs addresses of asset lists anew in each second.
        .edit("date_range_signed_anew", when: FaultMoment.targets(0, 3)) { edit, _, occasion in
            guard edit.isLiveMedia else { return }
            for place in edit.dateRangeLines { edit.signAssetList(inLine: place, at: occasion.now) }
        },
    ]
}
