/// Text in which each `${NAME}` is replaced by an environment variable.
package struct EnvironmentText: Sendable {
    package private(set) var text = ""
    /// The value of each variable used; all of them are secrets.
    package private(set) var values: [String: String] = [:]

    package struct Refusal: Error {
        /// A sentence that contains no value.
        package let reason: String
    }

    /// Throws `Refusal` for a malformed reference or a variable that is not set.
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
