import Rulebook
import RunResult

/// How the breaks of viewers' schedules ended, with the name of what they were.
struct ToldEvents {
    /// What viewers filled the breaks with.
    enum Noun: String {
        case interstitial
        case pod
        /// Both, or nothing that anybody asked for.
        case scheduledBreak = "break"

        /// For a heading.
        var title: String {
            switch self {
            case .interstitial: "Interstitials"
            case .pod: "Pods"
            case .scheduledBreak: "Breaks"
            }
        }
    }

    let counts: EventResult
    let noun: Noun

    /// Nil where the breaks' own figures have said it already.
    ///
    /// Where no asset was asked for, and everything was played to its end or left when the run was over, there is nothing
    /// more to tell.
    init?(_ document: ResultDocument) {
        guard let events = document.events else { return nil }
        func isAsked(_ kinds: RequestKind...) -> Bool {
            kinds.contains { (document.requests[$0.name]?.count ?? 0) > 0 }
        }
        let hasAssets = isAsked(.assetList, .assetManifest)
        let special =
            events.cutShort | events.cancelled | events.failed | events.skipped | events.restricted | events.changed
        guard hasAssets || special > 0 || events.unaccounted != 0 else { return nil }
        counts = events
        noun =
            switch (hasAssets, isAsked(.podManifest)) {
            case (true, false): .interstitial
            case (false, true): .pod
            case (true, true), (false, false): .scheduledBreak
            }
    }
}
