import Glibc

/// Natural logarithms, for figures with multiplicative noise.
enum Logarithm {
    static func natural(_ value: Double) -> Double { log(value) }
    static func exponential(_ value: Double) -> Double { exp(value) }
}
