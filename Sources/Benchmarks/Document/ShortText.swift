import Foundation

extension Double {
    /// Three significant digits or all before the point, whichever is more.
    var shortText: String {
        let places = magnitude < 10 ? 2 : magnitude < 1000 ? 1 : 0
        return String(format: "%.\(places)f", self)
    }
}
