package import Foundation
package import Results
import Rules
import Values

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
            + (asked.viewers.map { ", \($0) viewers" } ?? "")
    }
}

/// Figures of a stored result of either kind.
package enum StoredFigures: Sendable {
    case run(RunFigures)
    case capacity(CapacityFigures)

    /// `distributions` names those of a run to read whole.
    package init(json: Data, path: String, distributions: Set<String> = []) throws(RunFigures.ReadingError) {
        do {
            self = .run(try RunFigures(json: json, path: path, distributions: distributions))
        } catch {
            guard CapacityDocument.isNamed(in: json) else { throw error }
            do {
                self = .capacity(CapacityFigures(try CapacityDocument(json: json), path: path))
            } catch let damage as DecodingError {
                throw .unusableCapacity("a damaged capacity result: \(damage.problem(in: json))")
            } catch {
                throw .unusableCapacity("\(error)")
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
        mean = Logarithm.natural(value)
        let reach = NormalDistribution.quantile(0.5 + answer.intervalPercent / 200)
        let deviation = (Logarithm.natural(upper) - Logarithm.natural(lower)) / (2 * reach)
        variance = deviation * deviation
    }

    /// Combines searches with the larger variance, stated or observed: a search cannot know what differs between evenings.
    init?(_ parts: [LogEstimate]) {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else {
            self = first
            return
        }
        let count = Double(parts.count)
        let mean = parts.reduce(0) { $0 + $1.mean } / count
        let stated = parts.reduce(0) { $0 + $1.variance } / (count * count)
        let squares = parts.reduce(0) { $0 + ($1.mean - mean) * ($1.mean - mean) }
        let observed = squares / (count - 1) / count
        self.mean = mean
        variance = max(stated, observed)
        degreesOfFreedom = observed > stated ? count - 1 : .infinity
    }

    /// Half width of the two-sided interval, in natural logarithms.
    func reach(_ share: Double) -> Double { Self.reach(share, variance, degreesOfFreedom) }

    /// Difference with the half width of its interval.
    ///
    /// Degrees of freedom after Welch and Satterthwaite (Welch, Biometrika 34, 1947, 28 to 35).
    func difference(from base: LogEstimate, _ share: Double) -> (mean: Double, reach: Double) {
        let sum = variance + base.variance
        let unsure = Self.unsureness(of: self) + Self.unsureness(of: base)
        let degrees = unsure > 0 ? max(1, sum * sum / unsure) : .infinity
        return (mean - base.mean, Self.reach(share, sum, degrees))
    }

    private static func unsureness(of estimate: LogEstimate) -> Double {
        estimate.degreesOfFreedom.isFinite ? estimate.variance * estimate.variance / estimate.degreesOfFreedom : 0
    }

    private static func reach(_ share: Double, _ variance: Double, _ degrees: Double) -> Double {
        let probability = 0.5 + share / 2
        let quantile =
            degrees.isFinite
            ? StudentDistribution.quantile(probability, degreesOfFreedom: degrees)
            : NormalDistribution.quantile(probability)
        return quantile * variance.squareRoot()
    }
}
