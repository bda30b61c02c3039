import CCurl
import Values

/// Shared by any number of requests of one loop.
package final class HeaderList {
    package let fields: [(name: String, value: String)]
    /// Set before by this URL's server, which may see them.
    private let ownCookies: String?
    private var curlList: UnsafeMutablePointer<curl_slist>?

    /// nil when a name is not an RFC 9110 token or a value has a control character; the URL's server, which set `cookies`, gets
    /// them even if it may not see `headers`.
    package init?(_ headers: [(name: String, value: String)], cookies: String? = nil) {
        let fields = Self.adding(cookies, to: headers)
        guard fields.allSatisfy({ Self.isToken($0.name) && Self.isFieldValue($0.value) }) else { return nil }
        (self.fields, ownCookies) = (fields, cookies)
    }

    private init(trusted fields: [(name: String, value: String)], cookies: String? = nil) {
        (self.fields, ownCookies) = (fields, cookies)
    }

    deinit { curl_slist_free_all(curlList) }

    /// The fields as libcurl takes them, for as long as the list lives.
    var curlForm: UnsafeMutablePointer<curl_slist>? {
        guard curlList == nil else { return curlList }
        for field in fields {
            // A semicolon makes libcurl send an empty value.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            guard let longer = curl_slist_append(curlList, line) else { break }
            curlList = longer
        }
        return curlList
    }

    /// In one field (RFC 6265 section 5.4).
    private static func adding(_ cookies: String?, to fields: [(name: String, value: String)]) -> [(
        name: String, value: String
    )] {
        guard let cookies else { return fields }
        var fields = fields
        if let index = fields.firstIndex(where: { $0.name.lowercased() == "cookie" }) {
            fields[index].value += "; " + cookies
        } else {
            fields.append(("Cookie", cookies))
        }
        return fields
    }

    /// The header must be valid.
    static func adding(_ header: (name: String, value: String), to list: HeaderList?) -> HeaderList {
        HeaderList(trusted: (list?.fields ?? []) + [header], cookies: list?.ownCookies)
    }

    /// The headers that follow a redirect, without credentials where it leads to another origin.
    ///
    /// `cookies` replace those that servers set before. `hidesOrigin`: `Origin` becomes `null`.
    static func redirected(_ list: HeaderList?, keepsCredentials: Bool, hidesOrigin: Bool, cookies: String?)
        -> HeaderList?
    {
        guard let list else { return cookies.map { HeaderList(trusted: adding($0, to: []), cookies: $0) } }
        guard !keepsCredentials || cookies != list.ownCookies else { return list }
        var kept =
            keepsCredentials
            ? list.withoutOwnCookies : list.fields.filter { !credentials.contains($0.name.lowercased()) }
        if hidesOrigin, let index = kept.firstIndex(where: isOrigin) { kept[index].value = "null" }
        return HeaderList(trusted: adding(cookies, to: kept), cookies: cookies)
    }

    /// Value of `Origin`; nil without one.
    package var origin: String? { fields.first(where: Self.isOrigin)?.value }

    private static func isOrigin(_ field: (name: String, value: String)) -> Bool { field.name.lowercased() == "origin" }

    private var withoutOwnCookies: [(name: String, value: String)] {
        guard let ownCookies else { return fields }
        return fields.compactMap { field in
            guard field.name.lowercased() == "cookie", field.value.hasSuffix(ownCookies) else { return field }
            let rest = field.value.dropLast(ownCookies.count + "; ".count)
            return rest.isEmpty ? nil : (field.name, String(rest))
        }
    }

    func forAnybody() -> HeaderList {
        let fields = fields.filter { Self.ofPlayers.contains($0.name.lowercased()) }
        return HeaderList(trusted: Self.adding(ownCookies, to: fields), cookies: ownCookies)
    }

    /// Dropped by browsers on a redirect to another origin (Fetch, HTTP-redirect fetch, step 13); proxy credentials too.
    private static let credentials: Set = ["authorization", "cookie", "proxy-authorization"]

    /// In lower case; any other name may be a customer's key.
    package static let ofPlayers: Set = [
        "accept", "accept-encoding", "accept-language", "access-control-request-headers",
        "access-control-request-method", "cache-control", "content-type", "dnt", "if-none-match",
        "origin", "pragma", "range", "referer", "traceparent", "tracestate", "user-agent",
    ]

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7f) }
    }
}
