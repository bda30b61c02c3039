package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Data, an end of stream or a pending connection can be read without blocking.
    package static let readable = Readiness(rawValue: 1)
    /// Data can be written without blocking, or a connect has ended.
    package static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up is pending; reported whether or not it was asked for.
    package static let failed = Readiness(rawValue: 4)
}

package protocol ReadinessHandler: AnyObject {
    /// Called on the loop while the condition lasts (level-triggered).
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness)
}

/// One registration of one descriptor; a later registration of the same number is another one.
package struct Registration: Hashable, Sendable {
    package let descriptor: Int32
    /// Distinguishes reuses of the descriptor's number, so that a stale event is never delivered.
    let generation: UInt32

    var userData: UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}
