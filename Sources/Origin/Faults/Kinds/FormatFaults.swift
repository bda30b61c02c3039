enum FormatFaults {
    static let all: [FaultKind] = [
        // Names a pod's last segment a transport stream, without an EXT-X-MAP of its own.
        .edit("initialization_section_foreign", of: [.podPlaylist]) { edit, _, _ in
            let segments = edit.segments
            guard segments.count > 1, let last = segments.last else { return }
            let uri = last.lines.upperBound
            guard let suffix = edit.lines[uri].firstRange(of: ".mp4") else { return }
            edit.lines[uri].replaceSubrange(suffix, with: ".ts")
            let own = edit.lines[last.lines].filter { !$0.hasPrefix("#EXT-X-MAP:") && $0 != discontinuity }
            edit.lines.replaceSubrange(last.lines, with: [discontinuity] + own)
        }
    ]

    private static let discontinuity = "#EXT-X-DISCONTINUITY"
}
