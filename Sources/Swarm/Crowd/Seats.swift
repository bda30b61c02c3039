import Time

/// Places among the viewers of a loop, where viewers come and go: who is to have one, and which are free.
struct Seats {
    private var coming: ArraySlice<CrowdSetup.Join> = []
    private var free: [Int] = []

    init() {}

    /// - Parameter joins: In the order of time.
    init(_ joins: [CrowdSetup.Join]) { coming = joins[...] }

    /// When the next viewer joins; nil after the last.
    var nextJoin: Instant? { coming.first?.at }

    /// Gives a seat to the next viewer, if its time has come.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - count: How many seats there are, those that are free included.
    /// - Returns: The viewer and its seat, which is one more where none is free; nil where nobody's time has come.
    mutating func seatNext(at now: Instant, of count: Int) -> (join: CrowdSetup.Join, seat: Int)? {
        guard let join = coming.first, join.at <= now else { return nil }
        coming.removeFirst()
        return (join, free.popLast() ?? count)
    }

    /// Somebody has left for good.
    mutating func leave(_ seat: Int) { free.append(seat) }
}
