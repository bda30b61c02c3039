enum Downsampling {
    static let drawnPoints = 600

    static func groups(of count: Int, limit: Int = drawnPoints) -> [Range<Int>] {
        guard count > 0 else { return [] }
        let groups = min(count, max(1, limit))
        return (0..<groups).map { group in
            (group * count / groups)..<((group + 1) * count / groups)
        }
    }
}
