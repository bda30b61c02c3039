enum Tuning {
    static func env(_ n: String, _ d: Double) -> Double { d }
    static let drop = 2
    static let lowTail = 0.07
    static let highTail = 0.05
    static let qlow = 0.02
    static let qhigh = 0.5
    static let sweeps = 2
    static let minSearches = 3
    static let margin = 0.015
}
