package import AdServing
package import Results
import Transport
import Values
import Viewer

/// Passes the bytes of a header's value, or nil without the header.
package typealias HeadReading = (_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) -> Void

extension ServedBy {
    /// Redacts the headers.
    package init(own: StreamID?, address: String, traceID: String?, read: HeadReading) {
        let parts = Self.namesOfServers.compactMap { shown, name in
            PointOfPresence.text(name, read, bytes: Self.shownBytes).map { "\(shown): \(Redaction.text($0, own: own))" }
        }
        self.init(head: parts.joined(separator: "; "), address: address, traceID: traceID ?? "")
    }

    private static let shownBytes = 96

    /// RFC 9111 section 5.1 (Age), RFC 9110 section 7.6.3 (Via), RFC 9211 (Cache-Status), W3C Server Timing; CloudFront's,
    /// Fastly's, Cloudflare's and Akamai's own, and ids of requests.
    private static let namesOfServers: [(shown: String, name: StaticString)] = [
        ("Age", "age"), ("X-Cache", "x-cache"), ("Cache-Status", "cache-status"), ("Via", "via"),
        ("Server-Timing", "server-timing"), ("X-Served-By", "x-served-by"), ("X-Amz-Cf-Pop", "x-amz-cf-pop"),
        ("X-Amz-Cf-Id", "x-amz-cf-id"), ("CF-Ray", "cf-ray"), ("CF-Cache-Status", "cf-cache-status"),
        ("Akamai-Request-ID", "akamai-request-id"), ("Akamai-Request-BC", "akamai-request-bc"),
        ("X-Request-ID", "x-request-id"), ("X-Amzn-RequestId", "x-amzn-requestid"),
    ]
}

extension TransferResult {
    func servedBy(own: StreamID?) -> ServedBy {
        ServedBy(own: own, address: remoteAddress, traceID: trace?.traceID, read: readHeader)
    }
}

extension Examination {
    var servedBy: ServedBy { answer.servedBy(own: viewer.facts.streamID) }

    func observed(
        _ content: ComparedContent,
        fingerprint: UInt64,
        expected: String = "",
        _ text: @autoclosure () -> String
    ) {
        context.recorder.podObserved(
            breakSlot,
            content,
            fingerprint: fingerprint,
            at: viewer.moment(answer.doneAt),
            evidence: evidence(expected: expected, observed: text())
        )
    }

    /// Texts must be redacted.
    func evidence(url: String? = nil, expected: String = "", observed: String) -> Evidence {
        Evidence(url: viewer.redacted(url ?? answer.url), expected: expected, observed: observed, served: servedBy)
    }
}

/// Header in which caches say whether they made an answer; those that say it plainest come first.
///
/// One of several caches on the way is enough: the origin did not make the answer
/// (https://www.fastly.com/documentation/reference/http/http-headers/X-Cache/,
/// https://techdocs.akamai.com/property-mgr/reference/deprecated-return-cache-status).
package enum CacheHeader: CaseIterable, Sendable {
    /// RFC 9211: `hit` is a parameter of the cache that had the answer.
    case cacheStatus
    /// https://developers.cloudflare.com/cache/concepts/cache-responses: `STALE`, `UPDATING` and `REVALIDATED` are bodies of the
    /// cache.
    case cloudflare
    /// `HIT`, `TCP_HIT`, `RefreshHit from child`: Fastly, CloudFront, Akamai, and what operators of nginx and Varnish write.
    case xCache
    /// RFC 9111 section 5.1: above 0 a cache had the answer. 0 says nothing: Varnish sends it with answers of the origin too.
    case age

    private var name: StaticString {
        switch self {
        case .cacheStatus: "cache-status"
        case .cloudflare: "cf-cache-status"
        case .xCache: "x-cache"
        case .age: "age"
        }
    }

    /// Returns nil if the answer does not have the header.
    package func use(_ read: HeadReading) -> CacheUse? {
        PointOfPresence.text(name, read).map { isHit($0.lowercased()) ? .hit : self == .age ? .unsaid : .miss }
    }

    private func isHit(_ text: String) -> Bool {
        let words = text.split { ",; \t".contains($0) }
        return switch self {
        case .age: words.contains { ($0.first.map { "1"..."9" ~= $0 }) == true }
        case .cacheStatus:
            text.split(separator: ",").contains { cache in
                cache.split(separator: ";").dropFirst().contains { $0.trimmed { $0 == " " } == "hit" }
            }
        case .cloudflare: words.contains { ["hit", "stale", "updating", "revalidated"].contains($0) }
        // Varnish's `hit-for-pass` and `hit-for-miss` go to the origin.
        case .xCache:
            words.contains {
                ($0.hasPrefix("hit") && !$0.hasPrefix("hit-for")) || $0.hasSuffix("hit") || $0 == "stale"
                    || $0 == "updating" || $0 == "revalidated"
            }
        }
    }
}

/// The point of presence that an answer's head names, read the way each network documents it.
package enum PointOfPresence {
    /// The name as the network spells it; empty where the head has none.
    ///
    /// - CloudFront: `X-Amz-Cf-Pop`, such as `FRA56-P3`; the location alone is what AWS describes as `x-edge-location`
    ///   ("Standard logging reference", https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/AccessLogs.html).
    ///   That the header carries it is podswarm's assumption: no page of AWS says so, https://http.dev/x-amz-cf-pop does.
    /// - Fastly: the data centre at the end of the last entry of `X-Served-By`, `cache-{datacenter}{nodeid}-{datacenter}`
    ///   (https://www.fastly.com/documentation/reference/http/http-headers/X-Served-By/). The entries before it are shields.
    /// - Cloudflare: `CF-Ray` after `-` (https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-ray).
    /// - Akamai: `n`, the location, of the first component in `Akamai-Request-BC`
    ///   (https://techdocs.akamai.com/download-delivery/docs/the-breadcrumbs-response), where breadcrumbs are switched on.
    package static func name(_ read: HeadReading) -> String {
        if let pop = text("x-amz-cf-pop", read), !pop.isEmpty { return pop }
        if let entries = text("x-served-by", read), let pop = fastly(entries) { return pop }
        if let ray = text("cf-ray", read), let hyphen = ray.lastIndex(of: "-") {
            return String(ray[ray.index(after: hyphen)...])
        }
        return text("akamai-request-bc", read).flatMap(akamai) ?? ""
    }

    /// Longer than any of these headers.
    private static let readBytes = 512

    fileprivate static func text(_ name: StaticString, _ read: HeadReading, bytes: Int = readBytes) -> String? {
        var text: String?
        read(name) { value in
            guard let value else { return }
            text = String(decoding: UnsafeRawBufferPointer(rebasing: value.prefix(bytes)), as: UTF8.self)
        }
        return text
    }

    private static func fastly(_ entries: String) -> String? {
        guard let last = entries.split(separator: ",").last?.drop(while: { $0 == " " }), last.hasPrefix("cache-"),
            let hyphen = last.lastIndex(of: "-")
        else { return nil }
        return String(last[last.index(after: hyphen)...])
    }

    private static func akamai(_ breadcrumbs: String) -> String? {
        let first = breadcrumbs.prefix { $0 != "]" }.drop { $0 == "[" || $0 == " " }
        return first.split(separator: ",").first { $0.hasPrefix("n=") }.map { String($0.dropFirst(2)) }
    }
}
