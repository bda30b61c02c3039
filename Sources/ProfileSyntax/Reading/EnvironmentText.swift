/// Text in which each `${NAME}` stands for an environment variable, as fields of profiles have it.
package struct EnvironmentText: Sendable {
    /// With the values in it.
    package private(set) var text = ""
    /// Value of each variable that was named; all of them are secrets.
    package private(set) var values: [String: String] = [:]

    /// Why a text is none.
    package struct Refusal: Error {
        /// A sentence without a value in it.
        package let reason: String
    }

    /// Looks up what is named.
    ///
    /// - Parameters:
    ///   - written: The text with its references.
    ///   - lookup: Value of a variable; nil where it is not set.
    /// - Throws: `Refusal` for a reference that is none, or has no value.
    package init(_ written: String, _ lookup: (String) -> String?) throws(Refusal) {
        var rest = written[...]
        while let opening = rest.firstRange(of: "${") {
            text += rest[..<opening.lowerBound]
            guard let closing = rest[opening.upperBound...].firstIndex(of: "}") else {
                throw Refusal(reason: "an environment reference is not closed by }")
            }
            let name = String(rest[opening.upperBound..<closing])
            guard CharacterSets.isEnvironmentName(name) else {
                throw Refusal(reason: "an environment reference does not hold a variable's name")
            }
            guard let value = lookup(name) else {
                throw Refusal(reason: "the environment variable \(name) is not set")
            }
            guard !value.isEmpty else { throw Refusal(reason: "the environment variable \(name) is empty") }
            values[name] = value
            text += value
            rest = rest[rest.index(after: closing)...]
        }
        text += rest
    }
}
