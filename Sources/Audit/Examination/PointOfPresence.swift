/// The point of presence that an answer's head names, read the way each network documents it.
package enum PointOfPresence {
    /// Reads the name; empty where the head has none.
    ///
    /// - CloudFront: `X-Amz-Cf-Pop`, such as `FRA56-P3`; the location alone is what AWS describes as `x-edge-location`
    ///   ("Standard logging reference", https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/AccessLogs.html).
    ///   That the header carries it is podswarm's assumption: no page of AWS says so, https://http.dev/x-amz-cf-pop does.
    /// - Fastly: the data centre at the end of the last entry of `X-Served-By`, `cache-{datacenter}{nodeid}-{datacenter}`
    ///   (https://www.fastly.com/documentation/reference/http/http-headers/X-Served-By/). The entries before it are
    ///   shields.
    /// - Cloudflare: what follows the hyphen of `CF-Ray`
    ///   (https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-ray).
    /// - Akamai: `n`, the location, of the first component in `Akamai-Request-BC`
    ///   (https://techdocs.akamai.com/download-delivery/docs/the-breadcrumbs-response), where breadcrumbs are switched on.
    ///
    /// - Parameter read: Hands over the bytes of a header's value, or nil where the answer has none.
    /// - Returns: The name as the network spells it.
    package static func name(
        _ read: (_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) -> Void
    ) -> String {
        if let pop = text("x-amz-cf-pop", read) { return pop }
        if let entries = text("x-served-by", read), let pop = fastly(entries) { return pop }
        if let ray = text("cf-ray", read), let hyphen = ray.lastIndex(of: "-") {
            return String(ray[ray.index(after: hyphen)...])
        }
        return text("akamai-request-bc", read).flatMap(akamai) ?? ""
    }

    /// Limit of bytes read, longer than any of these headers.
    private static let readBytes = 512

    private static func text(
        _ name: StaticString,
        _ read: (_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) -> Void
    ) -> String? {
        var text: String?
        read(name) { value in
            guard let value, !value.isEmpty else { return }
            text = String(decoding: UnsafeRawBufferPointer(rebasing: value.prefix(readBytes)), as: UTF8.self)
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
