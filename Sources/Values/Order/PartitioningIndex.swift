extension RandomAccessCollection {
    /// First index whose element meets a condition, as all later ones must; the end index if none does.
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
