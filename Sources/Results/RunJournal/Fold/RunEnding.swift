/// Facts about the end of a run that no interval has.
package struct RunEnding: Equatable, Codable, Sendable {
    package var endedAtMicroseconds: Int64
    package var interrupted: Bool
    package var abortedBy: String?
    /// Podswarm's own error, if it ended the run.
    package var defect: String?
    /// Failed part of podswarm that makes the run undecidable, as a sentence without a full stop.
    package var ownFailure: String?
    /// Counts known only to the process itself; nil in journals of earlier versions and for a run without shards.
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
