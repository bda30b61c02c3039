/// The clock of MPEG-2 transport streams: 90,000 ticks a second in 33 bits, which wrap around after a day.
enum TransportClock {
    static let mask: UInt64 = (1 << 33) - 1

    static func microseconds(ofTicks ticks: Int64) -> Int64 { ticks &* 100 / 9 }

    /// Ticks from one moment to another, by the shorter way around.
    static func ticks(from start: UInt64, to end: UInt64) -> Int64 {
        let ahead = Int64(bitPattern: (end &- start) & mask)
        return ahead > Int64(mask / 2) ? ahead - Int64(mask) - 1 : ahead
    }
}
