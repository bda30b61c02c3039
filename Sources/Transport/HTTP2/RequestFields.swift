import CNGHTTP2

/// Must not be changed or released before its requests are written.
package final class RequestFields {
    private let text: UnsafeMutablePointer<UInt8>
    private let fields: UnsafeMutableBufferPointer<nghttp2_nv>

    /// Fields with a colon come first; those that HTTP/2 does not allow are left out (RFC 9113 section 8.2.2).
    package init(_ list: [(name: String, value: String)]) {
        let kept = list.map { (name: Array($0.name.lowercased().utf8), value: Array($0.value.utf8)) }
            .filter { !Self.ofConnections.contains($0.name) }
        text = .allocate(capacity: max(1, kept.reduce(0) { $0 + $1.name.count + $1.value.count }))
        fields = .allocate(capacity: kept.count)
        var next = text
        for (index, field) in kept.enumerated() {
            let name = next
            for (offset, byte) in field.name.enumerated() { (name + offset).initialize(to: byte) }
            let value = name + field.name.count
            for (offset, byte) in field.value.enumerated() { (value + offset).initialize(to: byte) }
            next = value + field.value.count
            var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
            // Never kept in a table (RFC 7541 section 7.1.3).
            if Self.secrets.contains(field.name) { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
            fields.initializeElement(
                at: index,
                to: nghttp2_nv(
                    name: name,
                    value: value,
                    namelen: field.name.count,
                    valuelen: field.value.count,
                    flags: UInt8(truncatingIfNeeded: flags)
                )
            )
        }
    }

    deinit {
        fields.deallocate()
        text.deallocate()
    }

    var count: Int { fields.count }
    var start: UnsafePointer<nghttp2_nv>? { UnsafePointer(fields.baseAddress) }

    private static let ofConnections = Set(
        ["connection", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"].map {
            Array($0.utf8)
        }
    )
    private static let secrets = Set(["authorization", "cookie", "proxy-authorization"].map { Array($0.utf8) })
}
