package enum ResponseChecks {
    package enum ContentType: UInt8, Hashable, Sendable {
        /// application/vnd.apple.mpegurl or audio/mpegurl (RFC 8216 section 4).
        case playlist
        /// A name from before the registration, as in application/x-mpegurl.
        case alias
        /// A type without information about the content, such as text/plain.
        case generic
        case other
        case missing
    }

    /// Bytes; a smaller body gains nothing by compression, because it fits a packet or two.
    package static let leastCompressible = 256

    /// Reads a value of Content-Type; case and parameters make no difference (RFC 9110 section 8.3.1).
    package static func contentType(_ field: String?) -> ContentType {
        guard let field else { return .missing }
        let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        switch type {
        case "application/vnd.apple.mpegurl", "audio/mpegurl": return .playlist
        case "application/x-mpegurl", "application/mpegurl", "audio/x-mpegurl": return .alias
        case "text/plain", "application/octet-stream", "binary/octet-stream": return .generic
        case "": return .missing
        default: return .other
        }
    }

    /// Whether an answer with a playlist names its registered type, and is compressed if the request offered gzip.
    ///
    /// Costs no allocation. False requires ``violations(contentType:contentEncoding:acceptedGzip:url:bodyBytes:)``.
    package static func isPlain(
        contentType: UnsafeRawBufferPointer?,
        contentEncoding: UnsafeRawBufferPointer?,
        acceptedGzip: Bool
    ) -> Bool {
        guard let contentType,
            begins(contentType, "application/vnd.apple.mpegurl") || begins(contentType, "audio/mpegurl")
        else { return false }
        return !acceptedGzip || contentEncoding.map { begins($0, "gzip") } ?? false
    }

    /// Whether a field is this word, in any case, alone or with parameters after it.
    private static func begins(_ field: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard field.count >= count else { return false }
        for index in 0..<count {
            let byte = field[index]
            let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lower != word.utf8Start[index] { return false }
        }
        return field.count == count || field[count] == UInt8(ascii: ";") || field[count] == UInt8(ascii: " ")
    }

    /// Violations by the head of an answer with a playlist, at most one of each kind.
    ///
    /// A playlist is to be identified by its content type or by the end of its path, .m3u8 or .m3u (bis-22 section 4). With
    /// such a path any type is allowed that does not name another kind of content. `bodyBytes` is the decoded length.
    package static func violations(
        contentType: String?,
        contentEncoding: String?,
        acceptedGzip: Bool,
        url: String,
        bodyBytes: Int
    ) -> [Violation] {
        var violations: [Violation] = []
        let isNamed = Self.contentType(contentType)
        let isLegal = isNamed == .playlist || (isNamed != .other && hasPlaylistName(url))
        if !isLegal {
            violations.add(
                .contentTypeWrong,
                expected: "application/vnd.apple.mpegurl or audio/mpegurl",
                observed: contentType.map { "Content-Type: \($0)" } ?? "no Content-Type"
            )
        }
        let coding = contentEncoding?.lowercased().filter { $0 != " " } ?? ""
        if acceptedGzip, coding.isEmpty || coding == "identity", bodyBytes >= leastCompressible {
            violations.add(
                .compressionMissing,
                expected: "Content-Encoding: gzip, which the request accepted",
                observed: "\(bodyBytes) bytes uncompressed"
            )
        }
        return violations
    }

    private static func hasPlaylistName(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }
}
