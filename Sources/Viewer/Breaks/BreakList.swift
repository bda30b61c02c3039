import Audience
import Breaks
package import Time

/// The breaks of one viewer, in the order in which they are played: pre-rolls first, then by start, and for one start in
/// their sources' order.
struct BreakList: Sendable {
    /// More at once than a live window holds; the oldest that are over make room.
    static let kept = 128

    private var breaks: [Break] = []
    private var lastSerial: UInt16 = 0

    var isEmpty: Bool { breaks.isEmpty }
    var indices: Range<Int> { breaks.indices }

    subscript(index: Int) -> Break {
        _read { yield breaks[index] }
        _modify { yield &breaks[index] }
    }

    /// Serials are never 0, which a request that belongs to no break carries.
    mutating func takeSerial() -> UInt16 {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        return lastSerial
    }

    /// The break that a request belongs to; nil where it is over, or was begun anew.
    func index(ofSerial serial: UInt16) -> Int? { breaks.firstIndex { $0.serial == serial && !$0.isOver } }

    var first: Break? { breaks.first }

    func firstIndex(where condition: (Break) -> Bool) -> Int? { breaks.firstIndex(where: condition) }

    /// The viewer's own break that goes on, or else the one that comes next: of those of several sources one is asked for
    /// at a time.
    var own: Int? {
        var next: Int?
        for index in breaks.indices where breaks[index].offer.programme == .replaced {
            if breaks[index].isGoingOn { return index }
            next = next ?? index
        }
        return next
    }

    /// Whether a break of this source is taken up.
    func holds(_ source: BreakSource) -> Bool { breaks.contains { $0.planned.source == source } }

    /// Whether another one can be taken: never an unfinished one makes room for a newer.
    var hasRoom: Bool { breaks.count < Self.kept || breaks.contains { $0.isOver } }

    /// Puts a break in its place.
    mutating func insert(_ new: Break) {
        if breaks.count >= Self.kept {
            guard let old = breaks.firstIndex(where: { $0.isOver }) else { return }
            breaks.remove(at: old)
        }
        let index = breaks.firstIndex { $0.order > new.order }
        breaks.insert(new, at: index ?? breaks.count)
    }

    @discardableResult
    mutating func remove(at index: Int) -> Break { breaks.remove(at: index) }

    mutating func removeAll(where condition: (Break) -> Bool) { breaks.removeAll(where: condition) }
}

extension Break {
    /// By which breaks are in order.
    fileprivate var order: WallTime { offer.isPreRoll ? .distantPast : start ?? .distantFuture }
}

extension WallTime {
    package static var distantPast: WallTime { WallTime(microseconds: .min / 2) }
    package static var distantFuture: WallTime { WallTime(microseconds: .max / 2) }
}
