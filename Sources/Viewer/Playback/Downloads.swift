import Audience

/// How many downloads of the channel a player has under way, and which playlists wait for a free one.
struct Downloads: Sendable {
    /// Playlists, segments and parts.
    private(set) var underWay: UInt8 = 0
    /// Bits of renditions.
    private var waiting: UInt8 = 0
    /// The player has given up, and asks for nothing any more.
    private(set) var isOver = false

    func isFree(of maximum: UInt8) -> Bool { underWay < maximum }

    var hasWaiting: Bool { waiting != 0 }

    func isWaiting(_ rendition: PlayedRendition) -> Bool { waiting & Self.bit(rendition) != 0 }

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

    mutating func wait(for rendition: PlayedRendition) { waiting |= Self.bit(rendition) }

    mutating func stopWaiting(_ rendition: PlayedRendition) { waiting &= ~Self.bit(rendition) }

    /// Nothing waits any more.
    mutating func stopWaiting() { waiting = 0 }

    /// Nothing is asked for from now on.
    mutating func giveUp() {
        stopWaiting()
        isOver = true
    }

    private static func bit(_ rendition: PlayedRendition) -> UInt8 { 1 << rendition.rawValue }
}
