/// A player's open downloads of the channel, and the playlists that wait for a free one.
struct Downloads: Sendable {
    private(set) var underWay: UInt8 = 0
    /// Bits of the waiting renditions, and `overBit`: one byte, since each of thousands of viewers has these.
    private var bits: UInt8 = 0
    private static let overBit: UInt8 = 0x80
    private static let renditionBits: UInt8 = 0x7F

    /// Whether the player has given up, so that it sends no more requests.
    var isOver: Bool { bits & Self.overBit != 0 }

    func isFree(of maximum: UInt8) -> Bool { underWay < maximum }

    var hasWaiting: Bool { bits & Self.renditionBits != 0 }

    func isWaiting(_ rendition: PlayedRendition) -> Bool { bits & Self.bit(rendition) != 0 }

    /// Counts a download that did not wait.
    mutating func begin() { underWay += 1 }

    /// Counts the download of a rendition's playlist, whether it waited or not.
    mutating func begin(_ rendition: PlayedRendition) {
        stopWaiting(rendition)
        underWay += 1
    }

    mutating func end() {
        if underWay > 0 {
            underWay -= 1
        }
    }

    mutating func wait(for rendition: PlayedRendition) { bits |= Self.bit(rendition) }

    mutating func stopWaiting(_ rendition: PlayedRendition) { bits &= ~Self.bit(rendition) }

    mutating func stopWaiting() { bits &= ~Self.renditionBits }

    mutating func giveUp() {
        stopWaiting()
        bits |= Self.overBit
    }

    private static func bit(_ rendition: PlayedRendition) -> UInt8 { 1 << rendition.rawValue }
}
