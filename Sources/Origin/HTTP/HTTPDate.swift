import Values

/// The IMF-fixdate of RFC 9110 5.6.7, computed without Foundation.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(epochSeconds: Int64) -> String {
        let seconds = max(0, epochSeconds)
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSinceEpoch: day)
        return
            "\(days[Int(day % 7)]), \(two(date.day)) \(months[Int(date.month) - 1]) \(String(date.year).leftPadded(to: 4)) "
            + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func two(_ value: Int64) -> String { String(value).leftPadded(to: 2) }
}
