package import AdServing
package import Recording
import Viewer

extension ServedBy {
    /// Reads what the head of an answer says of who served it, and redacts it.
    ///
    /// - Parameters:
    ///   - own: The viewer's session.
    ///   - address: The address that answered.
    ///   - traceID: What the request carried.
    ///   - read: Hands over the bytes of a header's value, or nil where the answer has none.
    package init(
        own: StreamID?,
        address: String,
        traceID: String?,
        read: (_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) -> Void
    ) {
        var parts: [String] = []
        for (shown, name) in Self.namesOfServers {
            read(name) { value in
                guard let value else { return }
                let text = String(
                    decoding: UnsafeRawBufferPointer(rebasing: value.prefix(Self.shownBytes)),
                    as: UTF8.self
                )
                parts.append("\(shown): \(Redaction.text(text, own: own))")
            }
        }
        self.init(head: parts.joined(separator: "; "), address: address, traceID: traceID ?? "")
    }

    /// The same of an answer that somebody has in hand.
    init(_ headers: any AnswerHeaders, own: StreamID?) {
        self.init(own: own, address: headers.remoteAddress, traceID: headers.traceID, read: headers.read)
    }

    private static let shownBytes = 96

    /// RFC 9111 section 5.1 (Age), RFC 9110 section 7.6.3 (Via), RFC 9211 (Cache-Status), W3C Server Timing; CloudFront's,
    /// Fastly's, Cloudflare's and Akamai's own, and what servers call the id of a request.
    private static let namesOfServers: [(shown: String, name: StaticString)] = [
        ("Age", "age"), ("X-Cache", "x-cache"), ("Cache-Status", "cache-status"), ("Via", "via"),
        ("Server-Timing", "server-timing"), ("X-Served-By", "x-served-by"), ("X-Amz-Cf-Pop", "x-amz-cf-pop"),
        ("X-Amz-Cf-Id", "x-amz-cf-id"), ("CF-Ray", "cf-ray"), ("CF-Cache-Status", "cf-cache-status"),
        ("Akamai-Request-ID", "akamai-request-id"), ("Akamai-Request-BC", "akamai-request-bc"),
        ("X-Request-ID", "x-request-id"), ("X-Amzn-RequestId", "x-amzn-requestid"),
    ]
}

extension Answer {
    /// Who served the answer, redacted.
    func servedBy(own: StreamID?) -> ServedBy {
        ServedBy(own: own, address: remoteAddress, traceID: traceID) { name, take in
            readHeader(name) { take($0) }
        }
    }
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
