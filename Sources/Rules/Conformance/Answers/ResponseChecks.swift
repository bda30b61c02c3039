import HLS

package enum ResponseChecks {
    /// Types of playlists (RFC 8216 section 4).
    private static let registered: Set = ["application/vnd.apple.mpegurl", "audio/mpegurl"]
    /// Unregistered names, and types without information about the content.
    private static let vague = ListedNames.words("vague content types").union([""])

    /// Bytes; a smaller body fits a packet or two, compressed or not.
    package static let leastCompressible = 256

    /// At most one violation of each kind; `bodyBytes` is the decoded length, `header` looks up a name in lower case.
    ///
    /// A content type, or a path that ends with .m3u8 or .m3u, identifies a playlist (bis-22 section 4): such a path allows
    /// vague types.
    package static func violations(
        acceptedGzip: Bool,
        url: String,
        bodyBytes: Int,
        header: (_ name: String) -> String?
    ) -> [Violation] {
        var violations: [Violation] = []
        let contentType = header("content-type")
        // Case and parameters make no difference (RFC 9110 section 8.3.1).
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        if !registered.contains(type), !vague.contains(type) || !hasPlaylistName(url) {
            let expected = "application/vnd.apple.mpegurl or audio/mpegurl"
            let observed = contentType.map { "Content-Type: \($0)" } ?? "no Content-Type"
            violations.append(Violation(.contentTypeWrong, expected: expected, observed: observed))
        }
        let coding = header("content-encoding")?.lowercased().filter { $0 != " " } ?? ""
        if acceptedGzip, coding.isEmpty || coding == "identity", bodyBytes >= leastCompressible {
            let expected = "Content-Encoding: gzip, which the request accepted"
            let observed = "\(bodyBytes) bytes uncompressed"
            violations.append(Violation(.compressionMissing, expected: expected, observed: observed))
        }
        return violations
    }

    private static func hasPlaylistName(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }
}

/// Headers of an answer of any kind that contradict its body.
package enum FramingChecks {
    /// `header` looks up a name in lower case.
    package static func violations(of flaws: AnswerFlaws, header: (_ name: String) -> String?) -> [Violation] {
        let length = header("content-length") ?? "none"
        let transferCoding = header("transfer-encoding") ?? "none"
        let coding = header("content-encoding") ?? transferCoding
        let rows: [(flaw: AnswerFlaws, code: FindingCode, expected: String, observed: String)] = [
            (
                .lengthInvalid, .contentLengthInvalid, "one Content-Length, a number; several must be equal",
                "another one too, or no number; the last is Content-Length: \(length)"
            ),
            (
                .lengthWithTransferCoding, .contentLengthWithTransferCoding,
                "no Content-Length beside Transfer-Encoding",
                "Transfer-Encoding: \(transferCoding), Content-Length: \(length)"
            ),
            (.partialUnasked, .partialContentUnasked, "the whole, for the request had no Range", "status 206"),
            (
                .codingInvalid, .contentCodingInvalid, "a body that can be decoded to its end",
                "Content-Encoding: \(coding), and a body that is cut off, damaged or coded otherwise"
            ),
            (
                .closeUnannounced, .closeAlertMissing, "close_notify before the connection's end, which ends the body",
                "the connection's end alone"
            ),
        ]
        return rows.filter { flaws.contains($0.flaw) }.map {
            Violation($0.code, expected: $0.expected, observed: $0.observed)
        }
    }
}
