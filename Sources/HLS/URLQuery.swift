import Values

/// The query of a URL, read and changed without changes to the rest of the URL.
///
/// Unchanged parameters keep their spelling. A fragment is kept and stays last.
package struct URLQuery: Hashable, Sendable {
    private struct Parameter: Hashable {
        /// As the URL spells it, encoded.
        var text: Substring
        /// Decoded.
        var name: String
    }

    private var address: Substring
    private var parameters: [Parameter]
    private var fragment: Substring

    package init(of url: String) {
        let hash = url.firstIndex(of: "#") ?? url.endIndex
        fragment = url[hash...]
        let beforeFragment = url[..<hash]
        let mark = beforeFragment.firstIndex(of: "?") ?? hash
        address = beforeFragment[..<mark]
        parameters = beforeFragment[mark...].dropFirst()
            .split(separator: "&")
            .map { Parameter(text: $0, name: PercentEncoding.decode($0.prefix { $0 != "=" })) }
    }

    package var url: String {
        guard !parameters.isEmpty else {
            return "\(address)\(fragment)"
        }
        return "\(address)?\(parameters.map(\.text).joined(separator: "&"))\(fragment)"
    }

    /// The decoded value of the first parameter with this name; empty when it stands without a value.
    package func value(of name: String) -> String? {
        parameters.first { $0.name == name }.map { parameter in
            PercentEncoding.decode(parameter.text.drop { $0 != "=" }.dropFirst())
        }
    }

    /// Sets the parameter's value where it stands, or adds the parameter at the end.
    package mutating func set(_ name: String, to value: String) {
        let parameter = Parameter(
            text: Substring("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"),
            name: name
        )
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index] = parameter
        } else {
            parameters.append(parameter)
        }
    }

    package mutating func remove(_ name: String) {
        parameters.removeAll { $0.name == name }
    }

    /// Sorts the parameters by their UTF-8 bytes, as requests with delivery directives require (bis-22 section 6.2.5).
    package mutating func sort() {
        parameters.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }
}
