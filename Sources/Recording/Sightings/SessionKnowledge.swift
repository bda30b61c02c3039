/// What a process of a run with several knows of sessions at its end, as digests.
package struct SessionKnowledge: Equatable, Codable, Sendable {
    /// What its viewers were given to be known by.
    package var given: SessionSample
    /// Answers with what may be sessions of other processes' viewers, by the name of the kind of request.
    package var strays: [String: StraySightings]

    package init(given: SessionSample, strays: [String: StraySightings] = [:]) {
        self.given = given
        self.strays = strays
    }
}
