import Foundation

/// UTC instants as text.
package enum UTCText {
    /// For people and documents, for example `2026-11-21T20:00:00.000Z`.
    ///
    /// - Parameter microseconds: Since the Unix epoch.
    /// - Returns: ISO 8601 with milliseconds.
    package static func iso8601(microseconds: Int64) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt).format(date(microseconds))
    }

    /// For file names, for example `20261121T200000Z`.
    ///
    /// - Parameter microseconds: Since the Unix epoch.
    /// - Returns: ISO 8601 without separators, to the second.
    package static func compact(microseconds: Int64) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt)
            .format(date(microseconds))
    }

    private static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
