import Values

enum FigureText {
    static func percent(_ share: Double) -> String { hundredths(share * 100) + "%" }

    /// Rounded to at most two decimals.
    static func hundredths(_ number: Double) -> String {
        let (whole, rest) = Int((number * 100).rounded()).quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return "\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }
}
