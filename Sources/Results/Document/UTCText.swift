import Foundation

package enum UTCText {
    /// For example `2026-11-21T20:00:00.000Z`; microseconds are since the Unix epoch.
    package static func iso8601(microseconds: Int64) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt).format(date(microseconds))
    }

    /// File name form to the second, for example `20261121T200000Z`; microseconds are since the Unix epoch.
    package static func compact(microseconds: Int64) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt)
            .format(date(microseconds))
    }

    private static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
