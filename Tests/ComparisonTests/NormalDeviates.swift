import Foundation
import TestSupport

extension SeededGenerator {
    /// A standard normal deviate (Box and Muller).
    mutating func normal() -> Double {
        let first = Double.random(in: Double.leastNormalMagnitude..<1, using: &self)
        let second = Double.random(in: 0..<1, using: &self)
        return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }

    static func exponential(_ exponent: Double) -> Double { exp(exponent) }
}
