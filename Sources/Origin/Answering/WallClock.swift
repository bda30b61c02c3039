import Foundation
import HLS
import NIOCore
import Values

struct WallClock: Sendable {
    /// Lead over the monotonic clock; nil for the system's wall clock, which may step.
    let aheadOfMonotonic: Duration?

    func now() -> WallTime {
        guard let aheadOfMonotonic else {
            return WallTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
        }
        let monotonic = Int64(clamping: NIODeadline.now().uptimeNanoseconds)
        return WallTime(microseconds: monotonic.addingClamped(aheadOfMonotonic.nanosecondsHeld) / 1_000)
    }
}
