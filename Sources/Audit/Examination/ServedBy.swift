import AdServing
import Recording
import Viewer

extension Answer {
    /// What the head of the answer says of who served it, redacted: where to look first, at whom it concerns.
    ///
    /// Empty where it says nothing.
    func servedBy(own: StreamID?) -> String {
        var parts: [String] = []
        for (shown, name) in Self.namesOfServers {
            readHeader(name) { value in
                let text = String(
                    decoding: UnsafeRawBufferPointer(rebasing: value.prefix(Self.shownBytes)),
                    as: UTF8.self
                )
                parts.append("\(shown): \(Redaction.text(text, own: own))")
            }
        }
        return parts.joined(separator: "; ")
    }

    private static let shownBytes = 96

    /// RFC 9111 section 5.1 (Age), RFC 9110 section 7.6.3 (Via), RFC 9211 (Cache-Status), W3C Server Timing; CloudFront's,
    /// Fastly's, Cloudflare's and Akamai's own, and what servers call the id of a request.
    private static let namesOfServers: [(shown: String, name: StaticString)] = [
        ("Age", "age"), ("X-Cache", "x-cache"), ("Cache-Status", "cache-status"), ("Via", "via"),
        ("Server-Timing", "server-timing"), ("X-Served-By", "x-served-by"), ("X-Amz-Cf-Pop", "x-amz-cf-pop"),
        ("X-Amz-Cf-Id", "x-amz-cf-id"), ("CF-Ray", "cf-ray"), ("CF-Cache-Status", "cf-cache-status"),
        ("Akamai-Request-ID", "akamai-request-id"), ("X-Request-ID", "x-request-id"),
        ("X-Amzn-RequestId", "x-amzn-requestid"),
    ]
}

extension Examination {
    /// What a sighting of this answer is told with; the texts are redacted already, the address is here.
    func evidence(url: String? = nil, expected: String = "", observed: String) -> Evidence {
        Evidence(
            url: viewer.redacted(url ?? answer.url),
            expected: expected,
            observed: observed,
            served: answer.servedBy(own: viewer.facts.streamID)
        )
    }
}
