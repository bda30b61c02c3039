package import Recording

/// A process's counts at the end of its run, to compare with other shards and with the origin.
package struct LastWords: Equatable, Codable, Sendable {
    /// Requests that were sent again, by kind name.
    package var resends: [String: Int]
    /// Answered requests that belong to no viewer, by kind name; nil if their kind is not known.
    package var besides: [String: Int]?
    /// Sessions given to this process's viewers, and foreign sessions that they received.
    package var sessions: SessionKnowledge

    package init(resends: [String: Int], besides: [String: Int]?, sessions: SessionKnowledge) {
        self.resends = resends
        self.besides = besides
        self.sessions = sessions
    }
}
