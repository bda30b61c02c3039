/// Long series made as short as a drawing can show.
enum Downsampling {
    /// Points drawn of a series at most.
    static let drawnPoints = 600

    /// Groups of neighbours, as equal in size as they can be.
    static func groups(of count: Int, limit: Int = drawnPoints) -> [Range<Int>] {
        guard count > 0 else { return [] }
        let groups = min(count, max(1, limit))
        return (0..<groups).map { group in
            (group * count / groups)..<((group + 1) * count / groups)
        }
    }
}
