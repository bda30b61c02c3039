import Foundation

extension LogScale {
    /// The natural logarithm.
    static func log(_ value: Double) -> Double { Foundation.log(value) }

    /// The logarithm to base 10.
    static func log10(_ value: Double) -> Double { Foundation.log10(value) }

    /// A power of a positive base.
    static func power(_ base: Double, _ exponent: Double) -> Double { Foundation.pow(base, exponent) }
}
