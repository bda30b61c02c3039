extension RandomAccessCollection {
    /// First index whose element meets a condition, by binary search; the end index if none does.
    ///
    /// All elements after one that meets the condition must meet it too.
    @inlinable
    public func partitioningIndex(where isOfLaterPart: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if isOfLaterPart(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
