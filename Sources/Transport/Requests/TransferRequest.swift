import CCurl
package import Values

package struct TransferRequest {
    package var request: PreparedRequest
    package var owner: ConnectionOwner
    package var plannedAt: Instant
    package var token: UInt64
    package var limits: TransferLimits
    /// False only counts bytes.
    package var keepBody: Bool

    package init(
        _ request: PreparedRequest,
        owner: ConnectionOwner,
        plannedAt: Instant,
        token: UInt64,
        keepBody: Bool = true,
        limits: TransferLimits = .configured
    ) {
        (self.request, self.owner, self.plannedAt) = (request, owner, plannedAt)
        (self.token, self.keepBody, self.limits) = (token, keepBody, limits)
    }
}

/// nil limits are the configuration's; seven bytes cost a request no memory beside its other fields.
package struct TransferLimits: Sendable, Equatable {
    package struct Time: Sendable, Equatable {
        /// Zero for the configuration's time.
        fileprivate var hundredths: UInt16 = 0

        private static let unit: Int64 = 10_000_000

        fileprivate init() {}

        fileprivate init(_ duration: Duration?) {
            guard let duration else { return }
            let (whole, rest) = max(0, duration.nanosecondsHeld).quotientAndRemainder(dividingBy: Self.unit)
            hundredths = UInt16(clamping: max(1, whole + rest.signum()))
        }

        /// As the other timeouts.
        @inline(__always)
        package func nanoseconds(otherwise configured: Int64) -> Int64 {
            hundredths == 0 ? configured : Int64(hundredths) &* Self.unit
        }
    }

    package private(set) var connect = Time()
    package private(set) var firstByte = Time()
    package private(set) var total = Time()
    /// Four bits of exponent, four of mantissa, plus one; zero for the configuration's.
    private var body: UInt8 = 0

    package static let configured = TransferLimits()

    private init() {}

    /// Times are rounded up to hundredths of a second, at most 655 seconds; `bodyBytes`, at least 1 KiB, is rounded up by a
    /// sixteenth at most; more than 60 MiB is left to the configuration.
    package init(connect: Duration?, firstByte: Duration?, total: Duration?, bodyBytes: Int? = nil) {
        (self.connect, self.firstByte, self.total) = (Time(connect), Time(firstByte), Time(total))
        body = bodyBytes.flatMap { bytes in (UInt8(1)...UInt8.max).first { Self.size($0) >= bytes } } ?? 0
    }

    private static func size(_ code: UInt8) -> Int {
        let bits = Int(code) - 1
        return (16 + bits & 15) << (6 + bits >> 4)
    }

    @inline(__always)
    package func bodyBytes(atMost configured: Int) -> Int { body == 0 ? configured : min(Self.size(body), configured) }

    /// In nanoseconds; nil where all are the configuration's.
    var least: Int64? {
        guard connect.hundredths | firstByte.hundredths | total.hundredths != 0 else { return nil }
        let (first, last) = (firstByte.nanoseconds(otherwise: .max), total.nanoseconds(otherwise: .max))
        return min(connect.nanoseconds(otherwise: .max), first, last)
    }
}

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
    /// `cookies` replace those that servers set before. `hidesOrigin`: `Origin` becomes `null`. `dropsContent`: the body is not
    /// sent again (Fetch, HTTP-redirect fetch, step 12).
    static func redirected(
        _ list: HeaderList?,
        keepsCredentials: Bool,
        hidesOrigin: Bool,
        dropsContent: Bool,
        cookies: String?
    ) -> HeaderList? {
        guard let list else { return cookies.map { HeaderList(trusted: [], cookies: $0) } }
        guard !keepsCredentials || dropsContent || cookies != list.ownCookies else { return list }
        let dropped = (keepsCredentials ? [] : credentials).union(dropsContent ? ofContent : [])
        var kept = list.given.filter { !dropped.contains($0.name.lowercased()) }
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

    private static let ofContent: Set = ["content-encoding", "content-language", "content-location", "content-type"]

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
