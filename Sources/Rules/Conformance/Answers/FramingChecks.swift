/// Headers of an answer of any kind that contradict its body.
package enum FramingChecks {
    /// One violation for each flaw; the fields are the last values of their headers, nil without one.
    package static func violations(
        of flaws: AnswerFlaws,
        contentLength: String?,
        contentEncoding: String?,
        transferEncoding: String?
    ) -> [Violation] {
        var violations: [Violation] = []
        let length = contentLength ?? "none"
        if flaws.contains(.lengthInvalid) {
            violations.add(
                .contentLengthInvalid,
                expected: "one Content-Length, a number; several must be equal",
                observed: "another one too, or no number; the last is Content-Length: \(length)"
            )
        }
        if flaws.contains(.lengthWithTransferCoding) {
            violations.add(
                .contentLengthWithTransferCoding,
                expected: "no Content-Length beside Transfer-Encoding",
                observed: "Transfer-Encoding: \(transferEncoding ?? "none"), Content-Length: \(length)"
            )
        }
        if flaws.contains(.partialUnasked) {
            violations.add(
                .partialContentUnasked,
                expected: "the whole, for the request had no Range",
                observed: "status 206"
            )
        }
        if flaws.contains(.codingInvalid) {
            let coding = contentEncoding ?? transferEncoding ?? "none"
            violations.add(
                .contentCodingInvalid,
                expected: "a body that can be decoded to its end",
                observed: "Content-Encoding: \(coding), and a body that is cut off, damaged or coded otherwise"
            )
        }
        return violations
    }
}
