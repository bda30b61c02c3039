import Rules
import Values

/// A name of `report.by` and its values, which are numbered on over all names.
package struct ReportedName: Equatable, Codable, Sendable {
    package var name: String
    package var values: [String]

    package init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// Numbers of a viewer's values, one for each name of `report.by`, within `ReportedGroups`.
package struct ViewerGroups: Hashable, Codable, Sendable {
    /// A byte for each number plus 1; 0 ends them.
    private var packed: UInt64 = 0

    package init(_ numbers: [Int]) {
        for number in numbers.reversed() { packed = packed << 8 | UInt64(UInt8(clamping: number + 1)) }
    }

    @inline(__always) package var isEmpty: Bool { packed == 0 }

    package var numbers: some Sequence<Int> {
        sequence(state: packed) { rest -> Int? in
            guard rest != 0 else { return nil }
            defer { rest >>= 8 }
            return Int(rest & 0xFF) - 1
        }
    }
}

/// Persona and groups that a viewer is counted in.
package struct Cohort: Hashable, Codable, Sendable {
    package let persona: UInt8
    package let groups: ViewerGroups

    package init(persona: UInt8 = 0, groups: ViewerGroups = ViewerGroups()) {
        (self.persona, self.groups) = (persona, groups)
    }
}

extension ViewerGroups: CheckedWhenRead {
    package var problem: String? {
        numbers.allSatisfy { (0..<ReportedGroups.mostValues).contains($0) } ? nil : "no numbers of values"
    }
}

extension ViewerGroups: Comparable, EmptyWhereMissing {
    package init() { self.init([]) }

    package static func < (lhs: ViewerGroups, rhs: ViewerGroups) -> Bool { lhs.packed < rhs.packed }
}
