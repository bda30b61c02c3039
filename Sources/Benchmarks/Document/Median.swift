import Foundation

extension [Double] {
    /// The middle value, or the mean of the two in the middle.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }

    /// The smallest value that at least this share of the values does not exceed.
    func percentile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let rank = (share * Double(count)).rounded(.up)
        return sorted()[Swift.min(Swift.max(Int(rank) - 1, 0), count - 1)]
    }
}

extension Double {
    /// Three significant digits or all before the point, whichever is more.
    var shortText: String {
        let places = magnitude < 10 ? 2 : magnitude < 1000 ? 1 : 0
        return String(format: "%.\(places)f", self)
    }
}
