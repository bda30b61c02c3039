import Recording

/// One of a profile's personas, as far as a result needs to know it.
package struct PersonaDescription: Equatable, Codable, Sendable {
    package var name: String
    /// From 0 to 100.
    package var sharePercent: Double
    /// Paths of facts, such as `requests.assetList.afterError`, that no good source confirms.
    package var unconfirmed: [String]
    /// How long an answer with an interstitial's list or pod may take; nil where only the connection's limit holds.
    package var deadlineMilliseconds: Int64?

    package init(name: String, sharePercent: Double, unconfirmed: [String] = [], deadlineMilliseconds: Int64? = nil) {
        self.name = name
        self.sharePercent = sharePercent
        self.unconfirmed = unconfirmed
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

/// Who watched.
package struct AudienceResult: Equatable, Codable, Sendable {
    /// One persona over all measured breaks.
    package struct Persona: Equatable, Codable, Sendable {
        package var name: String
        package var sharePercent: Double
        /// Viewers that had it; nil where nobody counted them.
        package var viewers: UInt64?
        package var unconfirmed: [String]
        package var deadlineMilliseconds: Int64?
        package var breaks: PersonaPunctuality
    }

    /// In the profile's order.
    package var personas: [Persona]

    /// Nil for a profile that names no personas.
    ///
    /// - Parameters:
    ///   - personas: In the order of their numbers; those past the sixteenth are counted with it.
    ///   - totals: Of the run.
    init?(_ personas: [PersonaDescription], totals: RunTotals) {
        guard !personas.isEmpty else { return nil }
        let sums = totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        // A pre-roll, and a break that viewers meet at the live edge, say nothing of where playheads are.
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

/// How one persona's viewers came by their pods: in one break, or over all.
package struct PersonaPunctuality: Equatable, Codable, Sendable {
    /// Nil where the persona is named beside it.
    package var name: String?
    package var due: UInt64
    package var onTime: UInt64
    /// Nil while no viewer of the persona was due.
    package var onTimePercent: Double?
    package var late: UInt64
    package var failed: UInt64
    package var unresolved: UInt64
    /// When playheads reached the break, on the wall clock from its start: first, mean and last of the viewers that had
    /// their pod; nil where none had.
    package var playheadFirstMicroseconds: Int64?
    package var playheadMeanMicroseconds: Int64?
    package var playheadLastMicroseconds: Int64?

    /// - Parameters:
    ///   - tally: What became of its viewers.
    ///   - playheads: Where playheads are told from; nil for the same.
    ///   - name: The persona's name, where nothing beside says it.
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
