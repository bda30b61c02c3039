/// The borders of runs of bytes are part of the value; not resistant to adversaries.
///
/// Stable between processes and releases of podswarm that share a result schema.
package struct RunHash: Sendable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init() {}

    package mutating func add(_ run: UnsafeRawBufferPointer) {
        var index = 0
        while index + 8 <= run.count {
            mix(UInt64(littleEndian: run.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var tail: UInt64 = 0
        while index < run.count {
            tail = tail << 8 | UInt64(run[index])
            index += 1
        }
        mix(tail)
        mix(UInt64(run.count))
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Hash of a single run.
    package static func value(of run: UnsafeRawBufferPointer) -> UInt64 {
        var hash = RunHash()
        hash.add(run)
        return hash.value
    }

    package static func value(of text: String) -> UInt64 {
        var hash = RunHash()
        hash.add(text)
        return hash.value
    }

    private mutating func mix(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
    }

    package var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }
}
