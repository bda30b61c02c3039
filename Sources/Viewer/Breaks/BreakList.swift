import AdServing
import Rules
package import Values

/// The breaks of one viewer in playing order: pre-rolls first, then by start; equal starts stay in the order of their sources.
struct BreakList: Sendable {
    /// Limit of breaks kept: more than a live window lists; the oldest finished breaks make room.
    static let kept = 128

    private var breaks: [Break] = []
    private var lastSerial: UInt16 = 0

    var isEmpty: Bool { breaks.isEmpty }
    var indices: Range<Int> { breaks.indices }

    subscript(index: Int) -> Break {
        _read { yield breaks[index] }
        _modify { yield &breaks[index] }
    }

    /// Returns a new serial, never 0: requests outside of breaks carry 0.
    mutating func takeSerial() -> UInt16 {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        return lastSerial
    }

    /// Returns nil once the break is over or was restarted.
    func index(ofSerial serial: UInt16) -> Int? { breaks.firstIndex { $0.serial == serial && !$0.isOver } }

    var first: Break? { breaks.first }

    func firstIndex(where condition: (Break) -> Bool) -> Int? { breaks.firstIndex(where: condition) }

    /// Index of the viewer's own break in progress, else of its next one.
    ///
    /// Breaks of several sources are requested one at a time.
    var own: Int? {
        var next: Int?
        for index in breaks.indices where breaks[index].offer.programme == .replaced {
            if breaks[index].isGoingOn { return index }
            next = next ?? index
        }
        return next
    }

    func holds(_ source: BreakSource) -> Bool { breaks.contains { $0.planned.source == source } }

    /// Whether another break fits; an unfinished break never makes room for a newer one.
    var hasRoom: Bool { breaks.count < Self.kept || breaks.contains { $0.isOver } }

    mutating func insert(_ new: Break) {
        if breaks.count >= Self.kept {
            guard let old = breaks.firstIndex(where: { $0.isOver }) else { return }
            breaks.remove(at: old)
        }
        let index = breaks.firstIndex { $0.order > new.order }
        breaks.insert(new, at: index ?? breaks.count)
    }

    /// Restores the playing order after starts have changed.
    mutating func sort() {
        guard zip(breaks, breaks.dropFirst()).contains(where: { $0.order > $1.order }) else { return }
        let old = breaks
        breaks.removeAll()
        for one in old { insert(one) }
    }

    @discardableResult
    mutating func remove(at index: Int) -> Break { breaks.remove(at: index) }

    mutating func removeAll(where condition: (Break) -> Bool) { breaks.removeAll(where: condition) }
}

extension Break {
    fileprivate var order: WallTime { offer.isPreRoll ? .distantPast : start ?? .distantFuture }
}

extension WallTime {
    package static var distantPast: WallTime { WallTime(microseconds: .min / 2) }
    package static var distantFuture: WallTime { WallTime(microseconds: .max / 2) }
}
