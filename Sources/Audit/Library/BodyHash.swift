/// 64-bit hash of a body for lookup within this process; not cryptographic.
///
/// Four sums in parallel: in a single one each multiplication would wait for the one before, longer than all else takes.
enum BodyHash {
    private static let stride = 8

    static func value(of body: UnsafeRawBufferPointer) -> UInt64 {
        var (first, second) = (0x9E37_79B9_7F4A_7C15 as UInt64, 0xC2B2_AE3D_27D4_EB4F as UInt64)
        var (third, fourth) = (0x1656_67B1_9E37_79F9 as UInt64, 0x27D4_EB2F_1656_67C5 as UInt64)
        var index = 0
        while index &+ 4 &* stride <= body.count {
            first = mixed(first, word(body, index))
            second = mixed(second, word(body, index &+ stride))
            third = mixed(third, word(body, index &+ 2 &* stride))
            fourth = mixed(fourth, word(body, index &+ 3 &* stride))
            index &+= 4 &* stride
        }
        while index &+ stride <= body.count {
            first = mixed(first, word(body, index))
            index &+= stride
        }
        var rest = UInt64(body.count)
        for byte in body[index...] { rest = rest << 8 | UInt64(byte) }
        return mixed(mixed(mixed(mixed(first, second), third), fourth), rest)
    }

    private static func word(_ body: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        body.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &+ 0x2545_F491_4F6C_DD1D
    }
}
