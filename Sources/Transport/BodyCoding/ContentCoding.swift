import Values

/// One coding of a body (RFC 9110 section 8.4.1).
package enum ContentCoding: UInt8 {
    case identity
    case gzip
    case deflate
    /// An error once it has something to decode. libcurl knows br and zstd too.
    case unknown

    package init(_ name: Slice<UnsafeRawBufferPointer>) {
        if Self.matches(name, "gzip") || Self.matches(name, "x-gzip") {
            self = .gzip
        } else if Self.matches(name, "deflate") {
            self = .deflate
        } else if Self.matches(name, "identity") || Self.matches(name, "none") {
            self = .identity
        } else {
            self = .unknown
        }
    }

    /// Compares without regard to case; `known` is in lower case.
    package static func matches(_ name: Slice<UnsafeRawBufferPointer>, _ known: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount)
        return name.count == known.count && zip(name, known).allSatisfy { $0.lowercasedASCII == $1 }
    }
}
