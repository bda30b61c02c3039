/// A record replaces the earlier one of its loop only.
struct LoopLedger: Summable, Equatable, Codable, Sendable {
    var breaks: [String: BreakRecord] = [:]
    var findings = FindingLedger()
    private(set) var shutOuts: [ShutOut: UInt64] = [:]

    /// `unlisted` is the increase over breaks past the limit.
    @discardableResult
    mutating func replace(_ changes: LoopChanges) -> (all: PunctualityTally, unlisted: PunctualityTally) {
        var rise = (all: PunctualityTally(), unlisted: PunctualityTally())
        for record in changes.breaks {
            var own = PunctualityTally()
            own.add(outcomesOf: record)
            if let before = breaks.updateValue(record, forKey: record.key) { own.subtract(before) }
            rise.all.add(own)
            if record.isOverflow { rise.unlisted.add(own) }
        }
        findings.entries.merge(changes.findings) { $1 }
        for (stretch, viewers) in changes.shutOuts { shutOuts[stretch] = viewers == 0 ? nil : viewers }
        return rise
    }

    /// Only for a loop that has finished.
    mutating func closeShutOuts(at end: Int64) {
        let rows = shutOuts.map { row in
            var stretch = row.key
            stretch.until = stretch.until ?? end
            return (stretch, row.value)
        }
        shutOuts = Dictionary(rows, uniquingKeysWith: &+)
    }

    /// Only for a loop that has finished.
    mutating func add(_ other: LoopLedger) {
        breaks.add(other.breaks)
        findings.add(other.findings)
        shutOuts.merge(other.shutOuts, uniquingKeysWith: &+)
    }

    /// For a lost loop; returns the number of removed viewers.
    mutating func leaveOutUnresolved() -> UInt64 {
        breaks.keys.reduce(0) { $0 &+ (breaks[$1]?.leaveOutUnresolved() ?? 0) }
    }
}

extension Sequence<LoopLedger> {
    /// Includes viewers that were shut out; periods without an end last until `end`.
    func breaks(until end: Int64, where isWanted: (BreakRecord) -> Bool = { _ in true }) -> [String: BreakRecord] {
        var breaks: [String: BreakRecord] = [:]
        var shutOuts: [ShutOut: UInt64] = [:]
        for loop in self {
            breaks.add(loop.breaks.filter { isWanted($0.value) })
            shutOuts.merge(loop.shutOuts, uniquingKeysWith: &+)
        }
        guard !shutOuts.isEmpty else { return breaks }
        for key in breaks.keys { breaks[key]?.countShutOut(shutOuts, end: end) }
        return breaks
    }

    var findings: FindingLedger { reduce(into: FindingLedger()) { $0.add($1.findings) } }
}
