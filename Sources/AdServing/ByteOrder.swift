import Glibc

/// Comparison of texts by bytes: the order of `String` compares Unicode's canonical forms, but ids are bytes.
///
/// A prefix comes before its text.
extension String {
    /// Below 0, above 0 or 0 as of `memcmp`.
    func byteOrder(to other: String) -> Int {
        Self.withBytes(of: self) { mine in Self.withBytes(of: other) { Self.order(mine, $0) } }
    }

    func sharedBytes(with other: UnsafeBufferPointer<UInt8>) -> Int {
        Self.withBytes(of: self) { mine in
            let longest = Swift.min(mine.count, other.count)
            return (0..<longest).first { mine[$0] != other[$0] } ?? longest
        }
    }

    static func withBytes<Outcome>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Outcome) -> Outcome {
        if let outcome = text.utf8.withContiguousStorageIfAvailable(body) { return outcome }
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    static func order(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(one.count, other.count)
        if shared > 0, let start = one.baseAddress, let otherStart = other.baseAddress {
            let order = memcmp(start, otherStart, shared)
            if order != 0 { return Int(order) }
        }
        return one.count - other.count
    }
}
