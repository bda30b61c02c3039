package import AdServing
package import Recording
import Transport
import Viewer

extension ServedBy {
    /// Reads the headers that identify the server of an answer, and redacts them.
    ///
    /// `read` passes the bytes of a header's value, or nil without the header.
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

extension TransferResult {
    func servedBy(own: StreamID?) -> ServedBy {
        ServedBy(own: own, address: remoteAddress, traceID: trace?.traceID, read: readHeader)
    }
}

extension Examination {
    /// Records content of a break that is comparable with that of other viewers.
    func observed(
        _ content: ComparedContent,
        of slot: Int32,
        fingerprint: UInt64,
        expected: String = "",
        _ text: @autoclosure () -> String
    ) {
        context.recorder.podObserved(
            slot,
            content,
            fingerprint: fingerprint,
            viewer: viewer.number,
            wallMicroseconds: viewer.wallMicroseconds(answer.doneAt),
            evidence: evidence(expected: expected, observed: text())
        )
    }

    /// Evidence for a sighting of this answer; texts must be redacted, the URL is redacted here.
    func evidence(url: String? = nil, expected: String = "", observed: String) -> Evidence {
        Evidence(
            url: viewer.redacted(url ?? answer.url),
            expected: expected,
            observed: observed,
            served: answer.servedBy(own: viewer.facts.streamID)
        )
    }
}
