package import Audit
package import Values
package import Viewer

/// Observes viewers step by step, for the explanations of `check`.
///
/// Called on the viewers' loops; costs nothing in a run without an observer.
package protocol ViewerObserver: FindingObserver, Sendable {
    /// Called after an event; its actions are carried out next.
    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant)
}
