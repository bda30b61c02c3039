import Glibc

/// Natural logarithms, for figures that noise multiplies.
enum Logarithm {
    static func natural(_ value: Double) -> Double { log(value) }
    static func exponential(_ value: Double) -> Double { exp(value) }
}
