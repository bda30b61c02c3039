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
        let date = civil(day: day)
        return
            "\(days[Int(day % 7)]), \(two(date.day)) \(months[date.month - 1]) \(String(date.year).leftPadded(to: 4)) "
            + "\(two(Int(time / 3_600))):\(two(Int(time / 60 % 60))):\(two(Int(time % 60))) GMT"
    }

    /// Gregorian date of a day since 1970-01-01, computed in eras of 400 years that begin on 1 March.
    private static func civil(day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        return (year, month, Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1))
    }

    private static func two(_ value: Int) -> String { String(value).leftPadded(to: 2) }
}
