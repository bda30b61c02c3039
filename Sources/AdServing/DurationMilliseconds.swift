import HLS

extension Duration {
    /// Rounded to the nearest, never negative.
    package var wholeMilliseconds: Int64 {
        let microseconds = max(0, wholeMicroseconds)
        return microseconds / 1_000 + (microseconds % 1_000 >= 500 ? 1 : 0)
    }
}
