import Rules

package struct PersonaDescription: Equatable, Codable, Sendable {
    package var name: String
    package var sharePercent: Double
    package var unconfirmed: [String]
    package var deadlineMilliseconds: Int64?

    package init(name: String, sharePercent: Double, unconfirmed: [String] = [], deadlineMilliseconds: Int64? = nil) {
        (self.name, self.sharePercent, self.unconfirmed) = (name, sharePercent, unconfirmed)
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

package struct AudienceResult: Equatable, Codable, Sendable {
    package struct Persona: Equatable, Codable, Sendable {
        package var name: String
        package var sharePercent: Double
        package var viewers: UInt64?
        package var unconfirmed: [String]
        package var deadlineMilliseconds: Int64?
        package var breaks: PersonaPunctuality
    }

    package var personas: [Persona]

    /// Personas past the sixteenth are counted with it.
    init?(_ personas: [PersonaDescription], totals: RunTotals) {
        guard !personas.isEmpty else { return nil }
        let sums = totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        // Pre-rolls and breaks met at the live edge do not show playhead positions.
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

package struct PersonaPunctuality: Punctuality, Equatable, Codable, Sendable {
    package var name: String?
    package var due: UInt64
    package var onTime: UInt64
    package var onTimePercent: Double?
    package var late: UInt64
    package var failed: UInt64
    package var unresolved: UInt64
    package var playheadFirstMicroseconds: Int64?
    package var playheadMeanMicroseconds: Int64?
    package var playheadLastMicroseconds: Int64?
    package var answers: AnswerResult?

    /// `playheads` replaces `tally` as the source of playheads.
    init(_ tally: PunctualityTally, playheads: PunctualityTally? = nil, name: String? = nil) {
        let playheads = playheads ?? tally
        self.name = name
        due = tally.due
        onTime = tally.onTime
        onTimePercent = tally.onTimePercent
        late = tally.late
        failed = tally.failed
        unresolved = tally.unresolved
        playheadFirstMicroseconds = playheads.playheadFirst
        playheadMeanMicroseconds = playheads.playheadMean
        playheadLastMicroseconds = playheads.playheadLast
        answers = tally.answers.map { AnswerResult($0) }
    }
}

package struct ReportedResult: Equatable, Codable, Sendable {
    package struct Value: Equatable, Codable, Sendable {
        package var value: String
        package var breaks: PersonaPunctuality
        package var requests: [String: AnswerResult]?
    }

    package var name: String
    package var values: [Value]

    package static func all(_ totals: RunTotals) -> [ReportedResult]? {
        let tallies = totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.groups) }
        return all(totals.reportedNames, tallies: tallies, requests: totals.groups)
    }

    /// Without values of which no viewer was due or sent a request.
    static func all(_ names: [ReportedName]?, tallies: PersonaTallies, requests: [Int: [RequestKind: AnswerFigures]]?)
        -> [ReportedResult]?
    {
        var number = 0
        return names?.map { name in
            let values = name.values.compactMap { value -> Value? in
                defer { number += 1 }
                let kinds = requests.map { AnswerResult.named($0[number] ?? [:]) }
                guard tallies[number].due > 0 || kinds?.isEmpty == false || tallies[number].answers != nil else {
                    return nil
                }
                return Value(value: value, breaks: PersonaPunctuality(tallies[number]), requests: kinds)
            }
            return ReportedResult(name: name.name, values: values)
        }
    }
}

package struct PlannedAudience: Equatable, Codable, Sendable {
    package var shape: String?
    package var stepMilliseconds: Int64
    package var viewers: [Int64]

    package init(shape: String?, stepMilliseconds: Int64, viewers: [Int64]) {
        (self.shape, self.stepMilliseconds, self.viewers) = (shape, stepMilliseconds, viewers)
    }

    /// Linear between steps, constant after the last.
    package func viewers(atMilliseconds milliseconds: Double) -> Double {
        let place = max(milliseconds, 0) / Double(max(stepMilliseconds, 1))
        guard let last = viewers.last else { return 0 }
        guard place < Double(viewers.count - 1) else { return Double(last) }
        let (one, other) = (Double(viewers[Int(place)]), Double(viewers[Int(place) + 1]))
        return one + (other - one) * (place - place.rounded(.down))
    }

    package func joined(with other: PlannedAudience) -> PlannedAudience? {
        guard stepMilliseconds == other.stepMilliseconds, viewers.count == other.viewers.count else { return nil }
        var joined = self
        for (index, number) in other.viewers.enumerated() { joined.viewers[index] &+= number }
        return joined
    }
}

package struct PlaybackResult: Equatable, Codable, Sendable {
    package struct LowLatency: Equatable, Codable, Sendable {
        package var blockingReloads: UInt64
        package var blockingFallbacks: UInt64
        package var deltaUpdates: UInt64
        package var deltaRefetches: UInt64
        package var deltaMismatches: UInt64
        package var hintsUsed: UInt64
        package var hintsGone: UInt64

        fileprivate init?(_ totals: RunTotals) {
            blockingReloads = totals.count(of: .blockingReloads)
            blockingFallbacks = totals.count(of: .blockingFallbacks)
            deltaUpdates = totals.count(of: .deltaUpdates)
            deltaRefetches = totals.count(of: .deltaRefetches)
            deltaMismatches = totals.findings.filter { $0.code == .deltaMismatch }.reduce(0) { $0 &+ $1.count }
            hintsUsed = totals.count(of: .hintsUsed)
            hintsGone = totals.count(of: .hintsGone)
            let all = blockingReloads | blockingFallbacks | deltaUpdates | deltaRefetches | hintsUsed | hintsGone
            guard all > 0 else { return nil }
        }
    }

    package var stalls: UInt64
    package var stalledMilliseconds: UInt64
    package var playedMilliseconds: UInt64?
    package var rebufferingPercent: Double?
    package var firstPicture: LatencyResult?
    package var variantSwitches: UInt64
    package var seeks: UInt64
    package var liveLatency: LatencyResult?
    package var lowLatency: LowLatency?

    /// Nil without data; counters cover the whole run, warm-up included.
    package init?(_ totals: RunTotals) {
        stalls = totals.count(of: .stalls)
        stalledMilliseconds = totals.count(of: .stalledMilliseconds)
        variantSwitches = totals.count(of: .variantSwitches)
        seeks = totals.count(of: .seeks)
        playedMilliseconds = totals.playedMilliseconds
        rebufferingPercent = totals.rebufferingPercent
        firstPicture = LatencyResult(totals.firstPicture)
        liveLatency = LatencyResult(totals.liveLatency)
        lowLatency = LowLatency(totals)
        let counted = stalls | stalledMilliseconds | variantSwitches | seeks
        guard counted > 0 || firstPicture != nil || liveLatency != nil || lowLatency != nil else { return nil }
    }
}

extension RunTotals {
    fileprivate var playedMilliseconds: UInt64? {
        let (watched, stalled) = (count(of: .watchedMilliseconds), count(of: .stalledMilliseconds))
        // Time is counted when a viewer leaves, and a stall when it ends.
        return watched > stalled && count(of: .left) >= count(of: .joined) ? watched - stalled : nil
    }

    /// Stalls, of the time that was played; nil without content that was loaded, and while a viewer watches.
    var rebufferingPercent: Double? {
        playedMilliseconds.map { Double(count(of: .stalledMilliseconds)) * 100 / Double($0) }
    }
}
