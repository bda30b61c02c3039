import CCurl
import Values

/// Shared by any number of requests of one loop.
package final class HeaderList {
    package typealias Field = (name: String, value: String)

    package let fields: [Field]
    /// Without the cookies that this URL's server set before, which may see them.
    private let given: [Field]
    private let ownCookies: String?
    private var curlList: UnsafeMutablePointer<curl_slist>?

    /// nil when a name is not an RFC 9110 token or a value has a control character; the URL's server, which set `cookies`, gets
    /// them even if it may not see `headers`.
    package init?(_ headers: [Field], cookies: String? = nil) {
        (given, fields, ownCookies) = (headers, Self.adding(cookies, to: headers), cookies)
        guard fields.allSatisfy({ Self.isToken($0.name) && Self.isFieldValue($0.value) }) else { return nil }
    }

    private init(trusted given: [Field], cookies: String?) {
        (self.given, fields, ownCookies) = (given, Self.adding(cookies, to: given), cookies)
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
    private static func adding(_ cookies: String?, to fields: [Field]) -> [Field] {
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
    static func adding(_ header: Field, to list: HeaderList?) -> HeaderList {
        HeaderList(trusted: (list?.given ?? []) + [header], cookies: list?.ownCookies)
    }

    /// The headers that follow a redirect, without credentials where it leads to another origin.
    ///
    /// `cookies` replace those that servers set before. `hidesOrigin`: `Origin` becomes `null`.
    static func redirected(_ list: HeaderList?, keepsCredentials: Bool, hidesOrigin: Bool, cookies: String?)
        -> HeaderList?
    {
        guard let list else { return cookies.map { HeaderList(trusted: [], cookies: $0) } }
        guard !keepsCredentials || cookies != list.ownCookies else { return list }
        var kept = list.given.filter { keepsCredentials || !credentials.contains($0.name.lowercased()) }
        if hidesOrigin, let index = kept.firstIndex(where: isOrigin) { kept[index].value = "null" }
        return HeaderList(trusted: kept, cookies: cookies)
    }

    /// Value of `Origin`; nil without one.
    package var origin: String? { fields.first(where: Self.isOrigin)?.value }

    private static func isOrigin(_ field: Field) -> Bool { field.name.lowercased() == "origin" }

    func forAnybody() -> HeaderList {
        HeaderList(trusted: given.filter { Self.ofPlayers.contains($0.name.lowercased()) }, cookies: ownCookies)
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
