enum PodMismatchFault {
    static let podMismatch = FaultKind(
        "pod_mismatch",
        kinds: [.podManifest, .assetList],
        defaultCount: 1
    ) { _, _, effects in
        effects.decisionSalt = 1
    }

    static let podLadderDiffers = FaultKind(
        "pod_ladder_differs",
        kinds: [.podManifest],
        editing: { edit, _, _ in
            let tag = "#EXT-X-STREAM-INF:"
            guard let last = edit.lastLine(beginningWith: tag), last != edit.firstLine(beginningWith: tag) else {
                return
            }
            edit.lines.removeSubrange(last...min(last + 1, edit.lines.count - 1))
        }
    )
}
