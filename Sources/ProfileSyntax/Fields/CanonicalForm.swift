import Time

/// The lines that a digest is taken of: one for each value; every text is quoted, so that no value can pretend to be
/// another line.
///
/// Changing what is written here changes every digest, hence the version in the title. A field of a later version is left
/// out at its default, so that a plan without it keeps its digest.
package struct CanonicalForm {
    package enum Extent: Sendable {
        /// Everything that makes a difference to a run or its verdict.
        case plan
        /// The load alone, whichever target it is asked of: comparable runs have the same.
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
