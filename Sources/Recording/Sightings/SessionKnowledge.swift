/// Sessions known to one process of a sharded run at its end, as digests.
package struct SessionKnowledge: Equatable, Codable, Sendable {
    package var given: SessionSample
    /// Answers with possible sessions of other processes' viewers, by the name of the request kind.
    package var strays: [String: StraySightings]

    package init(given: SessionSample, strays: [String: StraySightings] = [:]) {
        self.given = given
        self.strays = strays
    }
}
