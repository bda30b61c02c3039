package import Rulebook

extension ViewerCounter {
    /// Counts by name, without the zeros.
    package static func named(_ counters: [UInt64]) -> [String: UInt64] {
        allCases.reduce(into: [:]) { if counters[Int($1.rawValue)] > 0 { $0[$1.name] = counters[Int($1.rawValue)] } }
    }

    /// Counts by raw value.
    ///
    /// - Throws: `DecodingError` for a name that no counter has.
    package static func counters(named counts: [String: UInt64], _ decoder: any Decoder) throws -> [UInt64] {
        var counters = [UInt64](repeating: 0, count: allCases.count)
        for (name, count) in counts {
            guard let counter = ViewerCounter(name: name) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: name))
            }
            counters[Int(counter.rawValue)] = count
        }
        return counters
    }
}
