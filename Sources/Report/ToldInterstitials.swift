import Rulebook
import RunResult

extension ResultDocument {
    /// How interstitials ended; nil where the breaks' own figures have said it already.
    ///
    /// The pods of a viewer's own schedule are counted with the interstitials. Where no asset was asked for, and
    /// everything was played to its end or left when the run was over, there is nothing more to tell.
    var toldInterstitials: EventResult? {
        guard let events else { return nil }
        let hasAssets = [RequestKind.assetList, .assetManifest].contains { (requests[$0.name]?.count ?? 0) > 0 }
        let special =
            events.cutShort | events.cancelled | events.failed | events.skipped | events.restricted | events.changed
        return hasAssets || special > 0 || events.unaccounted != 0 ? events : nil
    }
}
