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
            .map { Parameter(text: $0, name: Self.decode($0.prefix { $0 != "=" })) }
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
            Self.decode(parameter.text.drop { $0 != "=" }.dropFirst())
        }
    }

    /// Sets the parameter's value where it stands, or adds the parameter at the end.
    package mutating func set(_ name: String, to value: String) {
        let parameter = Parameter(text: Substring("\(Self.encode(name))=\(Self.encode(value))"), name: name)
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

    /// Percent-encodes every byte but the unreserved characters of RFC 3986 section 2.3.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                output.append(byte)
            default:
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Percent-decoded text; a malformed escape is unchanged.
    static func decode(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else {
            return String(text)
        }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue,
                let low = Character(UnicodeScalar(bytes[index + 2])).hexDigitValue
            {
                output.append(UInt8(high << 4 | low))
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
