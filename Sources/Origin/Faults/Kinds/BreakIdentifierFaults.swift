// Faults of the number by which the URI of an interstitial names its pod (`numbersPods` in its script).
enum BreakIdentifierFaults {
    /// Another pod for the viewers in the share, which must be below 1.
    static let breakIdentifierSplit = FaultKind(
        "break_identifier_split",
        announcing: { line in
            line.changePodNumber { $0 + far }
        }
    )

    static let breakIdentifierReused = FaultKind(
        "break_identifier_reused",
        announcing: { line in
            line.changePodNumber { $0 - 1 }
        }
    )

    static let breakIdentifierSkipped = FaultKind(
        "break_identifier_skipped",
        announcing: { line in
            line.changePodNumber { $0 + far }
        }
    )

    static let breakIdentifierBackwards = FaultKind(
        "break_identifier_backwards",
        announcing: { line in
            line.changePodNumber { $0 / 2 }
        }
    )

    /// Beyond the numbers of any run.
    private static let far = 1_000_000
}

extension String {
    fileprivate mutating func changePodNumber(_ change: (Int) -> Int) {
        let mark = "\(InterstitialName.podNumberParameter)="
        var pieces = split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        for place in pieces.indices.dropFirst() {
            let digits = pieces[place].prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits) else { continue }
            pieces[place] = String(change(number)) + pieces[place].dropFirst(digits.count)
        }
        self = pieces.joined(separator: mark)
    }
}
