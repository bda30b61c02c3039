import Values

/// Stream session of a viewer: opaque, never rewritten, and secret.
package struct StreamID: Hashable, Sendable {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Four characters and a short hash: enough to distinguish sessions in a report, too little to use one.
    ///
    /// An id shorter than 16 characters shows a quarter of them.
    package var redacted: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in rawValue.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        hash ^= hash >> 32
        return rawValue.prefix(min(4, rawValue.count / 4)) + "…" + (hash & 0xFFFF_FFFF).hexadecimal(digits: 8)
    }

    /// Encoded for a path segment or a query value; the colon of a Google stream id becomes `%3A`.
    package var percentEncoded: String {
        PercentEncoding.encode(rawValue)
    }
}

extension StreamID: CustomStringConvertible, CustomDebugStringConvertible {
    /// Redacted, so that interpolation cannot leak a session.
    package var description: String { redacted }

    package var debugDescription: String { redacted }
}
