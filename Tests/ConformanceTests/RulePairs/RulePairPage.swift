/// The page that shows the pairs.
enum RulePairPage {
    static func text(_ pairs: [RulePair]) -> String {
        """
        # The draft's rules, one by one

        What a playlist and its versions must and must not be, and a pair of playlists for each.

        ## Overview

        Each row is a rule of
        [draft-pantos-hls-rfc8216bis-22](https://datatracker.ietf.org/doc/html/draft-pantos-hls-rfc8216bis-22): what a sound
        playlist has in one place, what a broken one has there, and the finding of the broken one (<doc:FindingMatrix>). In the
        sound one nothing is found, in the broken one exactly this. The page is written by the test `RulePairTests`, which holds
        every row against the checks; `PODSWARM_RECORD_GOLDENS=1 swift test --filter RulePairTests` writes it anew. A line's end is
        shown as ⏎.

        ## Holes

        Rules that concern a playlist or its versions and have no row:

        - 4.1: text in Unicode normalization form C. A playlist is not looked at for it.
        - 4.4.4.4: what KEYFORMATVERSIONS and a KEYFORMAT mean together is the key system's own.
        - 4.4.6.2: BANDWIDTH beside the segments' sizes. `podswarm lint` loads no segments. That a variant names a media playlist,
          and EXT-X-I-FRAME-STREAM-INF one of key frames alone, it does say; several playlists have no place in this table.
        - 4.4.6.5: a session key's METHOD beside that of the media playlists' keys.
        - 6.2.1: how often a live playlist is updated (`playlist_stale`), which takes more than two versions. <doc:Findings> says
          how much is forgiven for a cache.
        - 6.2.4: what variants have in common is held against each other (`rendition_*` in <doc:FindingMatrix>), in tests that
          take several playlists and have no place in this table.
        - 6.2.5: answers to blocking and delta requests (`blocking_reload_ignored`, `delta_mismatch`), likewise.
        - Appendix D: interstitials (`interstitial_invalid`, and those of asset lists), likewise.

        ## Rules

        | Section | Rule | Sound | Broken | Finding |
        | --- | --- | --- | --- | --- |

        """ + pairs.map(row).joined()
    }

    private static func row(_ pair: RulePair) -> String {
        "| \(pair.section) | \(pair.rule) | \(code(pair.sound)) | \(code(pair.broken)) | `\(pair.finding)` |\n"
    }

    private static func code(_ text: String) -> String {
        guard !text.isEmpty else { return "nothing" }
        guard !text.contains("`") else { return text }
        let shown = text.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x0A: " ⏎ "
            case ..<0x20, 0xFEFF: "(U+\(String(scalar.value, radix: 16, uppercase: true)))"
            default: String(scalar)
            }
        }
        let line = shown.joined().replacing("|", with: "\\|")
        return line.hasSuffix(" ") ? "`\(line)` with a space" : "`\(line)`"
    }
}
