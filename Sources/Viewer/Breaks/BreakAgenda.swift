import AdServing
import Rules
import Values

/// The breaks of one viewer and the feeds that bring them.
///
/// A feed is told the outcome of its break, then looks for the next one.
struct BreakAgenda: Sendable {
    var list = BreakList()
    var feeds: BreakFeeds

    init(_ plan: ViewerPlan) { feeds = BreakFeeds(plan) }

    var indices: Range<Int> { list.indices }

    subscript(index: Int) -> Break {
        _read { yield list[index] }
        _modify { yield &list[index] }
    }

    var own: Int? { list.own }

    func index(ofSerial serial: UInt16) -> Int? { list.index(ofSerial: serial) }
}
