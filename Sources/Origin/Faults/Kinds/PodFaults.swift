import HTTPTypes

extension FaultKind {
    static let pods: [FaultKind] = [
        // Well-formed, ended and empty.
        .setting("empty_pod", \.isEmptyPod, to: true, of: [.podPlaylist, .podManifest], byDefault: 1),
        // Only the magnitude of `shift` counts.
        .effect("pod_underfilled", of: [.podPlaylist], parameters: [.shift]) { fault, _, effects in
            effects.podDurationShift = .zero - fault.lag(.seconds(2))
        },
        .effect("pod_overfilled", of: [.podPlaylist], parameters: [.shift]) { fault, _, effects in
            effects.podDurationShift = fault.lag(.seconds(2))
        },
        // The paths of segments mark them as slate.
        .edit("slate_only", of: [.podPlaylist]) { edit, _, _ in
            for place in edit.lines.indices {
                edit.lines[place] = edit.lines[place].replacing("/profile/", with: "/slate/")
                    .replacing("/interstitials/media/", with: "/interstitials/slate/")
            }
        },
        // As from a cache that ignores the identifier.
        .setting("stale_pod", \.isStalePod, to: true, of: [.podManifest]),
        // `signatures: kept` hides the change from a comparison of signatures.
        .effect("pod_changed_on_repeat", of: [.podManifest], parameters: [.signatures]) { _, occasion, effects in
            guard occasion.repetition > 0 else { return }
            effects.decisionSalt = UInt8(clamping: 1 + occasion.repetition)
        },
        // One discontinuity less or more than in other renditions; `path` selects the rendition.
        .edit("pod_rendition_mismatch", of: [.podPlaylist]) { edit, _, _ in
            if let last = edit.lines.lastIndex(of: discontinuity) {
                edit.lines.remove(at: last)
            } else if let last = edit.lastLine(beginningWith: "#EXTINF:"),
                last != edit.firstLine(beginningWith: "#EXTINF:")
            {
                edit.lines.insert(discontinuity, at: last)
            }
        },
        .status("pod_part_unreachable", 503, of: [.podPlaylist, .podSegment, .assetManifest], byDefault: 1),
        .status("pod_unavailable", 503, of: [.podManifest, .assetList], byDefault: 1),
        .status("pod_not_found", 404, of: [.podManifest, .assetList], byDefault: 1, parameters: []),
        // For the first two tries; the share must be below 1.
        .status("pod_not_found_healed", 404, of: repeated, byDefault: 1, parameters: []) { $1.repetition < 2 },
        .edit("pod_not_found_cached", of: repeated, byDefault: 1) { edit, _, _ in
            edit.status = .notFound
            edit.lines = []
            edit.fields[.age] = "7"
            edit.fields[.contentType] = nil
        },
        // The share must be below 1.
        .announcement("break_identifier_split") { $0.changePodNumber { $0 + farPod } },
        .announcement("break_identifier_reused") { $0.changePodNumber { $0 - 1 } },
        .announcement("break_identifier_skipped") { $0.changePodNumber { $0 + farPod } },
        .announcement("break_identifier_backwards") { $0.changePodNumber { $0 / 2 } },
        .status("asset_list_status", 503, of: [.assetList]),
        // From ad servers without demand (bis-22 D.5).
        .setting("asset_list_empty", \.assetList, to: .empty, of: [.assetList]),
        .setting("asset_list_garbage", \.assetList, to: .garbage, of: [.assetList]),
        // Index `asset`, by default the first.
        .status("asset_failed", 404, of: [.assetManifest], parameters: [.asset, .status]) { $1.asset == $0.asset },
        .setting("asset_duration_missing", \.assetList, to: .withoutDurations, of: [.assetList]),
        .setting("asset_invalid", \.assetList, to: .withRelativeAddresses, of: [.assetList]),
        .effect("asset_duration_wrong", of: [.assetList], parameters: [.shift]) { fault, _, effects in
            effects.assetDurationShift = fault.shift ?? .seconds(2)
        },
        // Names a pod's last segment a transport stream, without an EXT-X-MAP of its own.
        .edit("initialization_section_foreign", of: [.podPlaylist]) { edit, _, _ in
            let segments = edit.segments
            guard segments.count > 1, let last = segments.last else { return }
            let uri = last.lines.upperBound
            guard let suffix = edit.lines[uri].firstRange(of: ".mp4") else { return }
            edit.lines[uri].replaceSubrange(suffix, with: ".ts")
            let own = edit.lines[last.lines].filter { !$0.hasPrefix("#EXT-X-MAP:") && $0 != discontinuity }
            edit.lines.replaceSubrange(last.lines, with: [discontinuity] + own)
        },
    ]

    private static let discontinuity = "#EXT-X-DISCONTINUITY"

    private static let repeated: [RequestKind] = [.podManifest, .assetList, .podPlaylist]
    /// Beyond the numbers of any run.
    private static let farPod = 1_000_000
}

extension PlannedFault {
    /// Magnitude of `shift`.
    func lag(_ usual: Duration) -> Duration {
        guard let shift else { return usual }
        return shift < .zero ? .zero - shift : shift
    }
}

extension String {
    /// Set by `numbersPods` of the script.
    fileprivate mutating func changePodNumber(_ change: (Int) -> Int) {
        let mark = "\(InterstitialName.podNumberParameter)="
        var pieces = split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        for place in pieces.indices.dropFirst() {
            let digits = pieces[place].prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { continue }
            pieces[place] = String(change(number)) + pieces[place].dropFirst(digits.count)
        }
        self = pieces.joined(separator: mark)
    }
}
