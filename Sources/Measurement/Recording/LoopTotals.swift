/// Everything one loop recorded so far, as a value that may cross to the collector.
package struct LoopTotals: Sendable {
    let requests: RequestCounters
    let counters: [UInt64]
    let personaViewers: [UInt64]
    let breaks: [BreakRecord]
    let breaksNotKept: UInt64
    let findings: FindingLedger
    let rare: RareDistributions
}
