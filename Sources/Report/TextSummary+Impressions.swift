import Rulebook
import RunResult

extension TextSummary {
    /// What was not sent because impressions are not allowed; nothing where nothing was held back.
    func withheld() -> [String] {
        let kinds: [(ViewerCounter, String)] = [
            (.pingsWithheld, "ping"), (.beaconsWithheld, "beacon"), (.adSegmentsWithheld, "segment"),
        ]
        let parts = kinds.compactMap { counter, noun -> String? in
            guard let count = document.viewers[counter.name], count > 0 else { return nil }
            return TextLayout.counted(count, noun) + (counter == .adSegmentsWithheld ? " of ads" : "")
        }
        guard !parts.isEmpty else { return [] }
        let text = parts.joined(separator: ", ") + " not sent (the profile does not say impressions: allowed)"
        return [style.inked("Impressions withheld", .bold)] + TextLayout.wrapped(text, width: width, indent: "  ")
    }
}
