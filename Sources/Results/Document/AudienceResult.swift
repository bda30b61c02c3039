import Recording

package struct PersonaDescription: Equatable, Codable, Sendable {
    package var name: String
    /// From 0 to 100.
    package var sharePercent: Double
    /// Paths of facts, such as `requests.assetList.afterError`, without a reliable source.
    package var unconfirmed: [String]
    /// Time limit for an interstitial's list or pod; nil if only the connection's limit applies.
    package var deadlineMilliseconds: Int64?

    package init(name: String, sharePercent: Double, unconfirmed: [String] = [], deadlineMilliseconds: Int64? = nil) {
        self.name = name
        self.sharePercent = sharePercent
        self.unconfirmed = unconfirmed
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

package struct AudienceResult: Equatable, Codable, Sendable {
    /// One persona over all measured breaks.
    package struct Persona: Equatable, Codable, Sendable {
        package var name: String
        package var sharePercent: Double
        /// Nil if viewers were not counted by persona.
        package var viewers: UInt64?
        package var unconfirmed: [String]
        package var deadlineMilliseconds: Int64?
        package var breaks: PersonaPunctuality
    }

    /// In the profile's order.
    package var personas: [Persona]

    /// Returns nil for a profile without personas; those past the sixteenth are counted with it.
    init?(_ personas: [PersonaDescription], totals: RunTotals) {
        guard !personas.isEmpty else { return nil }
        let sums = totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        // A pre-roll, or a break met at the live edge, does not show playhead positions.
        let playheads = totals.breaks.filter { $0.personas.isBehindLiveEdge }
            .reduce(into: PersonaTallies()) { $0.add($1.personas) }
        let counted = totals.viewers.byPersona.contains { $0 > 0 }
        self.personas = personas.prefix(PersonaTallies.limit).enumerated().map { index, persona in
            Persona(
                name: persona.name,
                sharePercent: persona.sharePercent,
                viewers: counted ? totals.viewers.byPersona[index] : nil,
                unconfirmed: persona.unconfirmed,
                deadlineMilliseconds: persona.deadlineMilliseconds,
                breaks: PersonaPunctuality(sums[index], playheads: playheads[index])
            )
        }
    }
}

/// Punctuality of one persona's viewers, in one break or over all.
package struct PersonaPunctuality: Equatable, Codable, Sendable {
    /// Nil if the enclosing object names the persona.
    package var name: String?
    package var due: UInt64
    package var onTime: UInt64
    package var onTimePercent: Double?
    package var late: UInt64
    package var failed: UInt64
    package var unresolved: UInt64
    /// First, mean and last instant at which playheads of viewers with a pod reached the break, on the wall clock from its
    /// start; nil without such viewers.
    package var playheadFirstMicroseconds: Int64?
    package var playheadMeanMicroseconds: Int64?
    package var playheadLastMicroseconds: Int64?

    /// `playheads` is another source of playhead positions; nil uses `tally`.
    init(_ tally: PersonaTally, playheads: PersonaTally? = nil, name: String? = nil) {
        let playheads = playheads ?? tally
        self.name = name
        due = tally.due
        onTime = tally.onTime
        onTimePercent = due == 0 ? nil : Double(onTime) * 100 / Double(due)
        late = tally.late
        failed = tally.failed
        unresolved = tally.unresolved
        playheadFirstMicroseconds = playheads.playheadFirst
        playheadMeanMicroseconds = playheads.playheadMean
        playheadLastMicroseconds = playheads.playheadLast
    }
}
