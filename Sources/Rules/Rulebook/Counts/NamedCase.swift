import Values

/// A list of cases whose names in thresholds and results are their names in code, in snake case.
package protocol NamedCase: CaseIterable, RawRepresentable<UInt8>, Sendable {
    static var names: CaseNames<Self> { get }
}

/// Both ways between cases and their names.
package struct CaseNames<Case: NamedCase>: Sendable {
    fileprivate let ofCases: [String]
    fileprivate let cases: [String: Case]

    /// Requires raw values from 0 on, without a gap.
    package init() {
        let cases = Array(Case.allCases)
        ofCases = cases.map { MemberName.of("\($0)") }
        self.cases = Dictionary(zip(ofCases, cases)) { first, _ in first }
    }
}

extension NamedCase {
    package var name: String { Self.names.ofCases[Int(rawValue)] }

    package init?(name: String) {
        guard let named = Self.names.cases[name] else { return nil }
        self = named
    }
}
