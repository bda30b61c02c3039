import Foundation

extension LogScale {
    static func log(_ value: Double) -> Double { Foundation.log(value) }

    static func log10(_ value: Double) -> Double { Foundation.log10(value) }

    static func power(_ base: Double, _ exponent: Double) -> Double { Foundation.pow(base, exponent) }
}
