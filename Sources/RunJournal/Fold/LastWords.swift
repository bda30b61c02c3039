package import Recording

/// What a process says at the end of its run, so that it can be held against others of the run and against the origin.
package struct LastWords: Equatable, Codable, Sendable {
    /// Requests that went out once more, by kind name.
    package var resends: [String: Int]
    /// Requests of no viewer that were answered, by kind name; nil where nobody can tell their kind.
    package var besides: [String: Int]?
    /// What the target gave its viewers to be known by, and what came that it may have given to others.
    package var sessions: SessionKnowledge

    package init(resends: [String: Int], besides: [String: Int]?, sessions: SessionKnowledge) {
        self.resends = resends
        self.besides = besides
        self.sessions = sessions
    }
}
