import Foundation

/// Text in columns that are flush right, but for the first.
enum TextColumns {
    static func aligned(_ lines: [[String]]) -> String {
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return lines.map { line in
            line.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - line[column].count)
                return column == 0 ? line[column] + padding : padding + line[column]
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}

extension Double {
    /// Three significant digits or all before the point, whichever is more.
    var shortText: String {
        let places = magnitude < 10 ? 2 : magnitude < 1000 ? 1 : 0
        return String(format: "%.\(places)f", self)
    }
}
