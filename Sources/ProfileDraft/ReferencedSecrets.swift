import AdServing
import StreamSurvey

/// Parameters of an address that are named like secrets, each in place of its value as an environment reference.
package struct ReferencedSecrets: Sendable {
    /// One value that the profile does not hold.
    package struct Secret: Hashable, Sendable {
        /// Of the environment.
        package var variable: String
        /// As the address spells it.
        package var parameter: String
        /// As the address spells it; never shown.
        package var value: String
    }

    /// In the order of the address.
    package private(set) var all: [Secret] = []
    /// The query with references in it, without its question mark; empty where there is none.
    private(set) var query = ""
    /// Name and value of each parameter, with references in place of secret values.
    private(set) var parameters: [(name: String, value: String)] = []

    init(in address: StreamAddress) {
        var pieces: [String] = []
        for (name, value) in address.parameters {
            guard let value else {
                parameters.append((name, ""))
                pieces.append(name)
                continue
            }
            let isSecret = !value.isEmpty && Redaction.hidesValues(of: PercentEncoding.decode(name))
            let written = isSecret ? "${\(reference(to: name, value))}" : value
            parameters.append((name, written))
            pieces.append("\(name)=\(written)")
        }
        query = pieces.joined(separator: "&")
    }

    /// The variable of a value: one for each name and value.
    private mutating func reference(to name: String, _ value: String) -> String {
        if let known = all.first(where: { $0.parameter == name && $0.value == value }) { return known.variable }
        let plain = name.uppercased().unicodeScalars.map { scalar in
            ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
        }
        let stem = "STREAM_" + String(plain.prefix(40))
        var variable = stem
        var number = 2
        while all.contains(where: { $0.variable == variable }) {
            variable = "\(stem)_\(number)"
            number += 1
        }
        all.append(Secret(variable: variable, parameter: name, value: value))
        return variable
    }
}
