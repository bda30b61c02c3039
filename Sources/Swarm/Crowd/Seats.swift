import Values

struct Seats {
    private var coming: ArraySlice<CrowdSetup.Join> = []
    private var free: [Int] = []

    init() {}

    /// `joins` are in the order of time.
    init(_ joins: [CrowdSetup.Join]) { coming = joins[...] }

    var nextJoin: Instant? { coming.first?.at }

    /// Gives a seat to the next viewer if its time has come; `count` includes free seats.
    ///
    /// The seat is a new one where none is free.
    mutating func seatNext(at now: Instant, of count: Int) -> (join: CrowdSetup.Join, seat: Int)? {
        guard let join = coming.first, join.at <= now else { return nil }
        coming.removeFirst()
        return (join, free.popLast() ?? count)
    }

    mutating func leave(_ seat: Int) { free.append(seat) }
}
