import Rulebook
import RunResult

extension TextSummary {
    /// What was not sent because impressions are not allowed; nothing where nothing was held back.
    func withheld() -> [String] {
        func count(_ counter: ViewerCounter) -> UInt64 { document.viewers[counter.name] ?? 0 }
        let held = WithheldText(
            pings: count(.pingsWithheld),
            beacons: count(.beaconsWithheld),
            adSegments: count(.adSegmentsWithheld)
        )
        guard let list = held.list else { return [] }
        let text = list + " not sent (the profile does not say impressions: allowed)"
        return [style.inked("Impressions withheld", .bold)] + TextLayout.wrapped(text, width: width, indent: "  ")
    }
}
