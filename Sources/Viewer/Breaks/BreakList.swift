import AdServing
import Rules
package import Values

/// In playing order: pre-rolls first, then by start; equal starts stay in the order of their sources.
struct BreakList: Sendable {
    /// More than a live window lists.
    static let kept = 128

    private var breaks: [Break] = []
    private var lastSerial: UInt16 = 0

    var indices: Range<Int> { breaks.indices }

    subscript(index: Int) -> Break {
        _read { yield breaks[index] }
        _modify { yield &breaks[index] }
    }

    /// Never 0, which requests outside of breaks carry.
    mutating func takeSerial() -> UInt16 {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        return lastSerial
    }

    /// Nil once the break is over or was restarted.
    func index(ofSerial serial: UInt16) -> Int? { breaks.firstIndex { $0.serial == serial && !$0.isOver } }

    func firstIndex(where condition: (Break) -> Bool) -> Int? { breaks.firstIndex(where: condition) }

    /// Breaks of several sources are requested one at a time; the one in progress comes first.
    var own: Int? {
        var next: Int?
        for index in breaks.indices where breaks[index].offer.programme == .replaced {
            if breaks[index].isGoingOn { return index }
            next = next ?? index
        }
        return next
    }

    /// Ads of the own pod, once they are known.
    var ownAds: AdTimeline? { own.flatMap { breaks[$0].queue?.assets.first?.timeline } }

    func holds(_ source: BreakSource) -> Bool { breaks.contains { $0.planned.source == source } }

    var hasRoom: Bool { breaks.count < Self.kept || breaks.contains { $0.isOver } }

    mutating func insert(_ new: Break) {
        if breaks.count >= Self.kept {
            guard let old = breaks.firstIndex(where: { $0.isOver }) else { return }
            breaks.remove(at: old)
        }
        let index = breaks.firstIndex { $0.order > new.order }
        breaks.insert(new, at: index ?? breaks.count)
    }

    mutating func sort() {
        guard zip(breaks, breaks.dropFirst()).contains(where: { $0.order > $1.order }) else { return }
        let old = breaks
        breaks.removeAll()
        for one in old { insert(one) }
    }

    @discardableResult
    mutating func remove(at index: Int) -> Break { breaks.remove(at: index) }
}

extension Break {
    fileprivate var order: WallTime { offer.isPreRoll ? .distantPast : start ?? .distantFuture }
}

extension WallTime {
    package static var distantPast: WallTime { WallTime(microseconds: .min / 2) }
    package static var distantFuture: WallTime { WallTime(microseconds: .max / 2) }
}
