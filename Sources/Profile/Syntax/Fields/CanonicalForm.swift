import Values

/// Lines that a digest is computed over, one per value; texts are quoted, so that no value can imitate another line.
///
/// Any change of this form changes every digest, hence the version in the title. A field added in a later version is left out
/// at its default, so that a plan without it keeps its digest.
package struct CanonicalForm {
    package enum Extent: Sendable {
        /// Everything that makes a difference to a run or its verdict.
        case plan
        /// The load alone, independent of the target; comparable runs have equal workload digests.
        case workload
    }

    package let extent: Extent
    package private(set) var lines: [String]

    package init(_ extent: Extent, title: String) {
        self.extent = extent
        lines = [title]
    }

    package mutating func add(_ field: String, _ value: String?) {
        guard let value else { return }
        lines.append("\(field)=\(value.debugDescription)")
    }

    package mutating func add(_ field: String, _ value: Duration?) {
        add(field, value.map { String($0.nanosecondsHeld) })
    }

    package mutating func add(_ field: String, _ values: [String]) {
        for value in values { add(field, value) }
    }

    package mutating func add(_ field: String, _ values: [String: String]) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { add("\(field).\(key.debugDescription)", value) }
    }
}
