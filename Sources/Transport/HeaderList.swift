import CCurl

/// Request headers prepared once and shared by any number of requests of one loop.
///
/// Confined to the loop whose transport uses it.
package final class HeaderList {
    /// All headers, in order; nil when there are none.
    let all: UnsafeMutablePointer<curl_slist>?
    /// The same without what must not follow a redirect to another origin.
    let withoutCredentials: UnsafeMutablePointer<curl_slist>?

    /// Takes names and values as they are to be sent.
    ///
    /// Returns nil when a name is not an RFC 9110 token or a value has a control character.
    package init?(_ headers: [(name: String, value: String)]) {
        guard headers.allSatisfy({ Self.isToken($0.name) && Self.isFieldValue($0.value) }) else { return nil }
        all = Self.list(headers)
        withoutCredentials = Self.list(headers.filter { !Self.isCredential($0.name) })
    }

    deinit {
        curl_slist_free_all(all)
        curl_slist_free_all(withoutCredentials)
    }

    private static func list(_ headers: [(name: String, value: String)]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers {
            // A name with a semicolon is how libcurl is told to send an empty value.
            let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
            guard let longer = curl_slist_append(list, line) else { break }
            list = longer
        }
        return list
    }

    private static func isCredential(_ name: String) -> Bool {
        ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7f) }
    }
}
