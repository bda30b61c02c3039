import HLS

/// Rules for EXT-X-KEY and EXT-X-SESSION-KEY (bis-22 sections 4.4.4.4 and 4.4.6.5).
enum KeyCheck {
    /// Returns false after reporting a problem.
    static func check(_ reader: TagReader, _ line: TagLine, isSession: Bool, _ list: inout ViolationList) -> Bool {
        guard let problem = problem(reader, isSession: isSession) else { return true }
        list.note(.encryptionInvalid, line, expected: problem)
        return false
    }

    /// Methods whose IV is part of the media.
    private static let withoutVector: [StaticString] = ["SAMPLE-AES-CTR", "AES-256-GCM"]

    private static func problem(_ reader: TagReader, isSession: Bool) -> String? {
        guard let method = reader["METHOD"] else { return "METHOD" }
        if reader.isReference(method) { return nil }
        if reader.is("METHOD", "NONE") {
            if isSession { return "a METHOD other than NONE in a session key" }
            let hasMore = reader.has("URI") || reader.has("IV") || reader.has("KEYFORMAT")
            return hasMore || reader.has("KEYFORMATVERSIONS") ? "no other attribute beside METHOD=NONE" : nil
        }
        guard
            reader.is("METHOD", "AES-128") || reader.is("METHOD", "SAMPLE-AES")
                || reader.is("METHOD", "SAMPLE-AES-CTR") || reader.is("METHOD", "AES-256-GCM")
        else { return "METHOD=NONE, AES-128, SAMPLE-AES, SAMPLE-AES-CTR or AES-256-GCM" }
        for method in withoutVector where reader.is("METHOD", method) && reader.has("IV") {
            return "no IV beside METHOD=\(method)"
        }
        guard let uri = reader["URI"], !uri.isEmpty else { return "URI, unless METHOD is NONE" }
        if let vector = reader["IV"], !reader.isReference(vector), vector.count > 34 {
            return "IV of 128 bits: at most 32 digits after 0x"
        }
        if let versions = reader["KEYFORMATVERSIONS"], !reader.isReference(versions) {
            let numbers = reader.text(versions).split(separator: "/", omittingEmptySubsequences: false)
            if numbers.contains(where: { Int($0).map { $0 < 1 } ?? true }) {
                return "KEYFORMATVERSIONS as positive whole numbers with / between"
            }
        }
        return nil
    }
}
