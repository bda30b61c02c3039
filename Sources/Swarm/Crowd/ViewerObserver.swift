package import Audience
package import Audit
package import Time
package import Viewer

/// Watches viewers step by step: what `check` explains to a person.
///
/// Called on the viewers' loops; a run without one pays nothing for it.
package protocol ViewerObserver: FindingObserver, Sendable {
    /// A viewer was given an event and answered with actions, which are carried out next.
    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant)
}
