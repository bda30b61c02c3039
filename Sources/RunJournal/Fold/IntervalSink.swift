package import Recording

/// Tells of every interval of a run, once it can no longer be lost.
///
/// Nothing it meets ends the run: what went wrong is kept as text, and stands in the result.
package protocol IntervalSink: AnyObject, Sendable {
    /// Takes one interval.
    ///
    /// - Parameters:
    ///   - interval: The interval that ended.
    ///   - collector: The run so far, this interval included; keeping the value makes the next fold copy it.
    /// - Returns: Tells of it; called with whether the interval is in the journal, as soon as that is decided, from
    ///   whatever thread and in the order of intervals.
    func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void

    /// Begins a new file, as SIGHUP asks for.
    func rotate()

    /// What went wrong so far, in words for the result; empty while all is well.
    var problems: [String] { get }
}
