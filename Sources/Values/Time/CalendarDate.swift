/// Day of the proleptic Gregorian calendar, convertible to and from days since 1970-01-01.
///
/// The conversion counts in eras of 400 years that begin on 1 March, so that leap days fall at the end of a year.
package struct CalendarDate: Equatable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epochOffset: Int64 = 719_468

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSinceEpoch days: Int64) {
        let shifted = days + Self.epochOffset
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysPerEra - 1)) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, for a valid date with a year from 0 to 9999.
    package var daysSinceEpoch: Int64 {
        // Counts from one era before the year 0 to avoid negative numbers: unsigned divisions are cheaper, and a playlist has
        // dozens of dates.
        let isBeforeMarch = month <= 2
        let years = UInt32(truncatingIfNeeded: isBeforeMarch ? year &+ 399 : year &+ 400)
        let months = UInt32(truncatingIfNeeded: isBeforeMarch ? month &+ 9 : month &- 3)
        let centuries = years / 100
        let days = years &* 365 &+ years / 4 &- centuries &+ centuries / 4 &+ (months &* 153 &+ 2) / 5
        return Int64(days) &+ day &- 1 &- Self.daysPerEra &- Self.epochOffset
    }

    package var isValid: Bool {
        guard (1...12).contains(month), day >= 1 else {
            return false
        }
        guard day > 28 else {
            return true
        }
        switch month {
        case 2:
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11:
            return day <= 30
        default:
            return day <= 31
        }
    }
}
