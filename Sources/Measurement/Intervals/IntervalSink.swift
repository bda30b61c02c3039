/// Takes every interval of a run as it completes, before anybody is told of it.
///
/// Nothing it meets ends the run: what went wrong is kept as text, and stands in the result.
package protocol IntervalSink: AnyObject, Sendable {
    /// Keeps one interval.
    ///
    /// - Parameters:
    ///   - interval: The interval that ended.
    ///   - collector: The run so far, this interval included; keeping the value makes the next fold copy it.
    func keep(_ interval: RunInterval, of collector: RunCollector)

    /// Begins a new file, as SIGHUP asks for.
    func rotate()

    /// What went wrong so far, in words for the result; empty while all is well.
    var problems: [String] { get }
}
