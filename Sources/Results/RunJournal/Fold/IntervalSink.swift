package import Recording

/// Receiver of every interval of a run, once it is safe on disk.
///
/// An error never ends the run: it is kept as text for the result.
package protocol IntervalSink: AnyObject, Sendable {
    /// Prepares the report of one interval and returns a closure that sends it.
    ///
    /// `collector` includes the interval; a sink that keeps the value makes the next fold copy it. The closure is called once
    /// it is decided whether the journal has the interval, on any thread, in the order of intervals.
    func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void

    /// Begins a new file, on SIGHUP.
    func rotate()

    /// Errors so far, as text for the result.
    var problems: [String] { get }
}
