/// Everything one loop recorded so far, as a value that may cross to the collector.
package struct LoopTotals: Sendable {
    let requests: RequestCounters
    package let counters: [UInt64]
    package let personaViewers: [UInt64]
    package let breaks: [BreakRecord]
    let breaksNotKept: UInt64
    package let findings: FindingLedger
    package let shutOuts: [ShutOut: UInt64]
    let rare: RareDistributions
    let edgeCounters: EdgeCounters
    let edges: [Edge]
    let slowest: [SlowAnswer]
    let warnings: ServerWarnings
    let leftOut: LeftOutLedger
}
