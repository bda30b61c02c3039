package import Measurement

/// Watches viewers step by step: what `check` explains to a person.
///
/// Called on the viewers' loops; a run without one pays nothing for it.
package protocol ViewerObserver: AnyObject, Sendable {
    /// A viewer was given an event and answered with actions, which are carried out next.
    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Int64)
    /// Something about an answer is wrong; the texts are redacted.
    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String)
}
