import Values

/// Steering manifests, signed addresses, and date ranges that leave too early.
enum SteeringFaults {
    static let all: [FaultKind] = [
        .setting("steering_manifest_invalid", \.steering, to: .withoutTimeToLive, of: [.steering]),
        .setting("steering_pathway_unknown", \.steering, to: .withStrangePathway, of: [.steering]),
        .edit("date_range_signed_anew", when: FaultMoment.targets(0, 3)) { edit, _, occasion in
            guard edit.isLiveMedia else { return }
            for place in edit.dateRangeLines { edit.signAssetList(inLine: place, at: occasion.now) }
        },
        // The range is listed until its end has passed viewers at the live edge.
        .edit("date_range_removed_early", when: FaultMoment.targets(0, 5)) { edit, fault, occasion in
            guard edit.isLiveMedia, edit.firstLine(beginningWith: AnswerEdit.dateTag) != nil,
                let start = occasion.breakStart.map({ $0 + (fault.from ?? .zero) })
            else { return }
            let attributes = "ID=\"early\",CLASS=\"com.podswarm.early\",START-DATE=\"\(start.iso8601)\",DURATION=0.5"
            let place = edit.firstLine(beginningWith: "#EXT-X-TARGETDURATION:") ?? 0
            edit.lines.insert(AnswerEdit.dateRangeTag + attributes, at: place + 1)
        },
    ]
}
