// All of them change the number by which the URI of an interstitial names its pod (`numbersPods` in its script).
enum BreakIdentifierFaults {
    /// The viewers in the share are sent to another pod than the rest: give a share.
    static let breakIdentifierSplit = FaultKind(
        "break_identifier_split",
        announcing: { line in
            line.changePodNumber { $0 + far }
        }
    )

    /// The number of the break before.
    static let breakIdentifierReused = FaultKind(
        "break_identifier_reused",
        announcing: { line in
            line.changePodNumber { $0 - 1 }
        }
    )

    /// A number far beyond the next one.
    static let breakIdentifierSkipped = FaultKind(
        "break_identifier_skipped",
        announcing: { line in
            line.changePodNumber { $0 + far }
        }
    )

    /// A number that was passed long ago.
    static let breakIdentifierBackwards = FaultKind(
        "break_identifier_backwards",
        announcing: { line in
            line.changePodNumber { $0 / 2 }
        }
    )

    /// Further than a run gets.
    private static let far = 1_000_000
}

extension String {
    /// Gives `pod_id=` in a line another number, wherever it stands.
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
