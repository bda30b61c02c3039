import Audience

/// How many downloads of the channel a player has under way, and which playlists wait for a free one.
struct Downloads: Sendable {
    /// Playlists, segments and parts.
    private(set) var underWay: UInt8 = 0
    /// Bits of renditions, and of what follows: thousands of viewers have one of these each.
    private var bits: UInt8 = 0
    private static let overBit: UInt8 = 0x80
    private static let renditionBits: UInt8 = 0x7F

    /// The player has given up, and asks for nothing any more.
    var isOver: Bool { bits & Self.overBit != 0 }

    func isFree(of maximum: UInt8) -> Bool { underWay < maximum }

    var hasWaiting: Bool { bits & Self.renditionBits != 0 }

    func isWaiting(_ rendition: PlayedRendition) -> Bool { bits & Self.bit(rendition) != 0 }

    /// One begins that waited for nothing.
    mutating func begin() { underWay += 1 }

    /// A rendition's playlist is asked for, whether or not it waited.
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

    /// Nothing waits any more.
    mutating func stopWaiting() { bits &= ~Self.renditionBits }

    /// Nothing is asked for from now on.
    mutating func giveUp() {
        stopWaiting()
        bits |= Self.overBit
    }

    private static func bit(_ rendition: PlayedRendition) -> UInt8 { 1 << rendition.rawValue }
}
