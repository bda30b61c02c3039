/// How a run ended: what no interval says.
package struct RunEnding: Equatable, Codable, Sendable {
    /// Microseconds since the Unix epoch.
    package var endedAtMicroseconds: Int64
    package var interrupted: Bool
    /// The abort condition that ended the run early, as it was written.
    package var abortedBy: String?
    /// What podswarm itself got wrong, where that is why the run ended; nil while all was well.
    package var defect: String?
    /// Which part of podswarm failed so that nothing can be decided, as a sentence without its end; nil while all worked.
    package var ownFailure: String?
    /// What only the process knew that ran it; nil in journals of versions that did not say it, and for a run that is whole.
    package var lastWords: LastWords?

    package init(
        endedAtMicroseconds: Int64,
        interrupted: Bool = false,
        abortedBy: String? = nil,
        defect: String? = nil,
        ownFailure: String? = nil,
        lastWords: LastWords? = nil
    ) {
        self.endedAtMicroseconds = endedAtMicroseconds
        self.interrupted = interrupted
        self.abortedBy = abortedBy
        self.defect = defect
        self.ownFailure = ownFailure
        self.lastWords = lastWords
    }
}
