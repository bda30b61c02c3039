import Results
import Rules

/// Ends of the breaks that viewers scheduled, with the noun for them.
struct ToldEvents {
    enum Noun: String {
        case interstitial
        case pod
        /// Both, or neither was requested.
        case scheduledBreak = "break"

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

    /// Nil if the breaks' own figures contain everything.
    ///
    /// That is so if no asset was requested and every break was played to its end or was still open at the end of the run.
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
