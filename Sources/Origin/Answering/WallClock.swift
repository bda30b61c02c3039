import Foundation
import HLS

/// Reads the system's wall clock.
enum WallClock {
    static func now() -> WallTime {
        WallTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
