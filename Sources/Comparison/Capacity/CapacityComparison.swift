package import Foundation
import Results
import Rules
import Values

/// Decides whether the capacity of one release is less than that of another.
///
/// Regression: the 95 % interval of the change lies wholly on the worse side. No regression: it excludes a loss of a fifth,
/// which two searches of default precision decide for equal releases in most cases.
package struct CapacityComparison: Sendable {
    package typealias Side = InputSide<CapacityFigures>

    package static let leastRatio = 0.8
    private static let ratioShare = 0.95
    private static let sideShare = 0.9

    private let options: ComparisonOptions

    /// Only the allowed differences and `leavesUnfitAside` of the options apply.
    package init(options: ComparisonOptions = .standard) { self.options = options }

    /// `skipped` are files that are not results.
    package func compare(
        _ base: Side,
        against candidate: Side,
        skipped: [LeftOutFile] = []
    ) -> CapacityComparisonDocument {
        let sides = [base, candidate].map { side in
            Side(inputs: side.inputs, runs: side.runs.sorted(by: CapacityFigures.isEarlier))
        }
        let estimates = sides.map { side in
            LogEstimate(side.runs.filter { $0.doubt == nil }.compactMap { LogEstimate($0.answer) })
        }
        let differences = differences(sides[0].runs, sides[1].runs)
        let comparability = Comparability(
            comparable: differences.allSatisfy(\.allowed),
            differences: differences,
            unfitRuns: sides.flatMap(\.runs).compactMap { search in
                search.doubt.map {
                    .init(path: search.path, aspect: nil, allowed: options.leavesUnfitAside, reasons: [$0])
                }
            },
            skippedFiles: skipped
        )
        let quantity = candidate.runs.first?.asked.quantity ?? .viewers
        let change = Self.change(estimates[0], estimates[1])
        let values = estimates.map { $0.map { exp($0.mean) } }
        let (verdict, text) = Self.judged(quantity, change, values, comparability)
        let (before, after) = (sides[0].title(apartFrom: sides[1].runs), sides[1].title(apartFrom: sides[0].runs))
        var document = CapacityComparisonDocument(
            verdict: verdict,
            text: text,
            unit: quantity.unit,
            ratio: comparability.comparable ? change : nil,
            decidedFrom: quantity.isHarderWithMore ? Self.leastRatio : 1 / Self.leastRatio,
            base: .init(before, sides[0], estimates[0]?.figure(Self.sideShare)),
            candidate: .init(after, sides[1], estimates[1]?.figure(Self.sideShare)),
            comparability: comparability,
            notes: sides.contains { $0.runs.count == 1 } ? [Self.single] : []
        )
        document.notes += [document.swapDoubt].compactMap(\.self)
        return document
    }

    private static let single =
        "One search knows how much runs of an hour differ, and nothing of what differs from one day to another: several a "
        + "side do."

    private static func change(_ base: LogEstimate?, _ candidate: LogEstimate?) -> CapacityComparisonDocument.Ratio? {
        guard let base, let figure = candidate?.difference(from: base).figure(ratioShare), let upper = figure.upper
        else { return nil }
        return .init(value: figure.value, lower: figure.lower, upper: upper, intervalPercent: ratioShare * 100)
    }

    private static let fields: [ComparedField<CapacityFigures>] = [
        .init(aspect: nil, name: "hold") { $0.rule },
        .init(aspect: .profile, name: "profile_digest") { $0.search.profileDigest },
        .init(aspect: .host, name: "host") { $0.search.host.hostClass },
    ]

    private func differences(_ base: [CapacityFigures], _ candidate: [CapacityFigures]) -> [Comparability.Difference] {
        Self.fields.compactMap { field in
            let sides = [base, candidate].map { Set($0.map(field.value)).sorted() }
            guard Set(sides.joined()).count > 1 else { return nil }
            let values = sides.map { $0.joined(separator: " and ") }.joined(separator: " against ")
            return options.difference(field, sides[0], sides[1], text: "\(field.name) differs: \(values)")
        }
    }
}

extension CapacityComparisonDocument.Side {
    fileprivate init(_ title: String, _ side: CapacityComparison.Side, _ estimate: LawResult.Figure?) {
        (self.title, inputs, self.estimate) = (title, side.inputs, estimate)
        searches = side.runs.map(CapacityComparisonDocument.Search.init)
    }
}

extension CapacityComparisonDocument.Search {
    fileprivate init(_ search: CapacityFigures) {
        self.init(
            path: search.path,
            profile: search.search.profile,
            target: search.search.target,
            labels: search.search.labels,
            startedAtMicroseconds: search.search.startedAtMicroseconds,
            kind: search.answer.kind,
            value: search.answer.value,
            lower: search.answer.lower,
            upper: search.answer.upper,
            leftOut: search.doubt
        )
    }
}

extension CapacityComparison {
    /// The verdict and its sentence.
    private static func judged(
        _ quantity: CapacityQuestion.Quantity,
        _ change: CapacityComparisonDocument.Ratio?,
        _ values: [Double?],
        _ comparability: Comparability
    ) -> (ComparisonVerdict, text: String) {
        guard comparability.comparable else {
            let reasons = comparability.differences.filter { !$0.allowed }.map(\.text)
            let text = "These searches looked for different kinds of capacity."
            return (ComparisonVerdict(outcome: .incomparable, reasons: reasons), text)
        }
        let unfit = comparability.unfitRuns.filter { !$0.allowed }
        guard let change, unfit.isEmpty else {
            let found = unfit.map { "\($0.path): \($0.reasons.joined(separator: "; "))" }
            let reasons = found.isEmpty ? ["no search of one of the sides says anything certain"] : found
            let text = "Not decidable: not every search found a capacity."
            return (ComparisonVerdict(outcome: .inconclusive, reasons: reasons), text)
        }
        let words = words(quantity, change, values)
        let isMoreBetter = quantity.isHarderWithMore
        let (worst, best) = isMoreBetter ? (change.lower, change.upper) : (1 / change.upper, 1 / change.lower)
        let what = isMoreBetter ? "capacity" : "need"
        switch (worst, best) {
        case (_, ..<1):
            let text = "The \(what) \(isMoreBetter ? "fell" : "grew"): \(words)."
            return (ComparisonVerdict(outcome: .regression, reasons: [text]), text)
        case (leastRatio..., _):
            let text = "The \(what) is \(worst > 1 ? "better" : "not worse"): \(words)."
            let improvements = worst > 1 ? [text] : []
            return (ComparisonVerdict(outcome: .noRegression, reasons: [], improvements: improvements), text)
        default:
            let text = "Not decidable: \(words). More searches on each side, or narrower ones (--within), would tell."
            return (ComparisonVerdict(outcome: .inconclusive, reasons: [text]), text)
        }
    }

    private static func words(
        _ quantity: CapacityQuestion.Quantity,
        _ change: CapacityComparisonDocument.Ratio,
        _ values: [Double?]
    ) -> String {
        let ends = values.map { $0.map { MetricText.number($0.rounded()) } ?? "unknown" }
        return "\(ends.joined(separator: " to ")) \(quantity.unit), \(MetricText.change(ratio: change.value)) "
            + "(\(MetricText.number(change.intervalPercent))% interval: \(MetricText.change(ratio: change.lower)) to \(MetricText.change(ratio: change.upper)))"
    }
}

/// Versioned result of a comparison between the capacities of two releases.
package struct CapacityComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.capacity-comparison"
    package static let schemaVersion = 1

    package struct Search: Equatable, Codable, Sendable {
        package var path: String
        package var profile: String
        package var target: String
        package var labels: [String: String]
        package var startedAtMicroseconds: Int64
        package var kind: CapacityAnswer.Kind
        package var value: Double?
        package var lower: Double?
        package var upper: Double?
        package var leftOut: String?
    }

    package struct Side: Equatable, Codable, Sendable {
        /// The label that all searches of only this side share, or else the input.
        package var title: String
        package var inputs: [String]
        /// Oldest first.
        package var searches: [Search]
        /// With a 90 % interval; nil if no search counts.
        package var estimate: LawResult.Figure?
    }

    package struct Ratio: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        package var upper: Double
        package var intervalPercent: Double
    }

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: ComparisonVerdict
    package var text: String
    /// `viewers` or `ms`.
    package var unit: String
    /// Nil if the sides are not comparable.
    package var ratio: Ratio?
    /// Threshold for "no regression"; above 1 if less is better.
    package var decidedFrom: Double
    package var base: Side
    package var candidate: Side
    package var comparability: Comparability
    package var notes: [String] = []

    package var swapDoubt: String? {
        SwapDoubt.text(base.searches.map(\.startedAtMicroseconds), candidate.searches.map(\.startedAtMicroseconds))
    }
}

package struct CapacityFigures: Equatable, DatedResult, Sendable {
    package var path: String
    package var state: CapacityDocument.State
    package var asked: CapacityQuestion
    package var search: SearchDescription
    package var answer: CapacityAnswer

    package init(_ document: CapacityDocument, path: String) {
        self.path = path
        state = document.state
        asked = document.asked
        search = document.search
        answer = document.answer
    }

    package var about: SearchDescription { search }
    package var outcomeName: String { answer.kind.rawValue }
    package var identity: String { "\(search.profileDigest) \(search.id) \(search.startedAtMicroseconds)" }

    package var doubt: String? {
        switch state {
        case .running: return "it was never ended"
        case .interrupted: return "interrupted before its end"
        case .ended: break
        }
        switch answer.kind {
        case .found, .wide: return LogEstimate(answer) == nil ? "its answer has no interval" : nil
        case .atLeast: return "it says no more than where it stopped: \(answer.text)"
        case .below: return "nothing that it tried held"
        case .unknown: return "it found nothing"
        }
    }

    package var rule: String {
        let hold = asked.hold.sorted().joined(separator: ", ")
        return "\(asked.quantity.rawValue) with \(hold) in \(MetricText.number(asked.sharePercent))% of breaks"
            + (asked.viewers.map { ", \(GroupedDigits.counted($0, "viewer"))" } ?? "")
    }
}

/// Figures of a stored result of either kind.
package enum StoredFigures: Sendable {
    case run(RunFigures)
    case capacity(CapacityFigures)

    package init(json: Data, path: String) throws(RunFigures.ReadingError) {
        do {
            self = .run(try RunFigures(json: json, path: path))
        } catch {
            guard CapacityDocument.isNamed(in: json) else { throw error }
            do {
                self = .capacity(CapacityFigures(try CapacityDocument(json: json), path: path))
            } catch {
                let damage = (error as? DecodingError).map { "a damaged capacity result: \($0.problem(in: json))" }
                throw RunFigures.ReadingError(isOfRun: false, description: damage ?? "\(error)")
            }
        }
    }
}

/// The normal distribution of an estimate's logarithm.
struct LogEstimate: Equatable {
    var mean: Double
    var variance: Double
    /// Infinite for a variance that searches state of themselves.
    var degreesOfFreedom = Double.infinity

    /// Nil if the answer has no interval around it.
    init?(_ answer: CapacityAnswer) {
        guard let value = answer.value, let lower = answer.lower, let upper = answer.upper,
            lower > 0, lower <= value, value <= upper, upper.isFinite, answer.intervalPercent > 0,
            answer.intervalPercent < 100
        else { return nil }
        mean = log(value)
        let reach = NormalDistribution.quantile(0.5 + answer.intervalPercent / 200)
        let deviation = (log(upper) - log(lower)) / (2 * reach)
        variance = deviation * deviation
    }

    /// Combines searches with the larger variance, stated or observed: a search cannot know what differs between evenings.
    init?(_ parts: [LogEstimate]) {
        guard let first = parts.first else { return nil }
        self = first
        guard parts.count > 1 else { return }
        let count = Double(parts.count)
        let middle = parts.reduce(0) { $0 + $1.mean } / count
        let stated = parts.reduce(0) { $0 + $1.variance } / (count * count)
        let squares = parts.reduce(0) { $0 + ($1.mean - middle) * ($1.mean - middle) }
        let observed = squares / (count - 1) / count
        mean = middle
        variance = max(stated, observed)
        degreesOfFreedom = observed > stated ? count - 1 : .infinity
    }

    /// Back from logarithms; nil if it is out of range.
    func figure(_ share: Double) -> LawResult.Figure? {
        let reach = reach(share)
        let ends = [mean, mean - reach, mean + reach].map(exp)
        guard ends.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
        return LawResult.Figure(value: ends[0], lower: ends[1], upper: ends[2])
    }

    /// Half width of the two-sided interval, in natural logarithms.
    func reach(_ share: Double) -> Double {
        let probability = 0.5 + share / 2
        let quantile =
            degreesOfFreedom.isFinite
            ? StudentDistribution.quantile(probability, degreesOfFreedom: degreesOfFreedom)
            : NormalDistribution.quantile(probability)
        return quantile * variance.squareRoot()
    }

    /// Degrees of freedom after Welch and Satterthwaite (Welch, Biometrika 34, 1947, 28 to 35).
    func difference(from base: LogEstimate) -> LogEstimate {
        let unsure = [self, base].reduce(0) { $0 + $1.variance * $1.variance / $1.degreesOfFreedom }
        var difference = self
        difference.mean -= base.mean
        difference.variance += base.variance
        let square = difference.variance * difference.variance
        difference.degreesOfFreedom = unsure > 0 ? max(1, square / unsure) : .infinity
        return difference
    }
}
