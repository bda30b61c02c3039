import Rules

extension Finding {
    /// Each finding belongs to the later break.
    static func identifierOrder(of breaks: [BreakRecord]) -> [Finding] {
        let ordered = breaks.filter { !$0.isOverflow }.sorted {
            ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key)
        }
        return reusedIdentifiers(ordered) + misnumbered(ordered)
    }

    private static func reusedIdentifiers(_ ordered: [BreakRecord]) -> [Finding] {
        var users: [String: BreakRecord] = [:]
        var found: [Finding] = []
        for record in ordered {
            for (identifier, use) in record.pods.identifiers.sorted(by: { $0.key < $1.key })
            where use.viewerCount > 0 && isPodName(identifier) {
                // Overlapping breaks are one break announced twice.
                if let user = users[identifier], record.startMicroseconds >= user.endMicroseconds {
                    let words = ("an identifier that no other break has", "\(identifier), as for the break \(user.key)")
                    found.append(finding(.breakIdentifierReused, record, (identifier, use), words))
                } else if users[identifier] == nil {
                    users[identifier] = record
                }
            }
        }
        return found
    }

    private struct Count {
        var number: Int
        /// Index among all breaks.
        var place: Int

        /// Breaks in between may have had no viewers.
        func leads(to number: Int, at place: Int) -> Bool {
            let step = number.subtractingReportingOverflow(self.number)
            return !step.overflow && step.partialValue > 0 && step.partialValue <= place - self.place
        }
    }

    /// Numbers that continue neither the earlier count nor a new count that later numbers continue.
    private static func misnumbered(_ ordered: [BreakRecord]) -> [Finding] {
        var trusted: Count?
        // If the next number continues this one, a new count began here.
        var doubted: Count?
        // Some numbers count seconds or minutes.
        var countsBreaks = false
        var found: [Finding] = []
        for (place, record) in ordered.enumerated() {
            guard let (most, number) = majorityNumber(of: record) else { continue }
            let count = Count(number: number, place: place)
            guard let last = trusted else {
                trusted = count
                continue
            }
            if last.leads(to: number, at: place) || doubted?.leads(to: number, at: place) == true {
                trusted = count
                doubted = nil
                countsBreaks = true
                continue
            }
            guard countsBreaks || number < last.number else {
                trusted = count
                continue
            }
            // Reuse is a separate finding.
            guard number != last.number else { continue }
            doubted = count
            let code: FindingCode = number < last.number ? .breakIdentifierBackwards : .breakIdentifierSkipped
            let expected = "pod/\(last.number &+ 1), after pod/\(last.number) of the break before"
            found.append(finding(code, record, most, (expected, most.key)))
        }
        return found
    }

    private static func isPodName(_ identifier: String) -> Bool {
        identifier.hasPrefix("pod/") || identifier.hasPrefix("ad_break_id/")
    }

    private typealias Identifier = (key: String, value: IdentifierUse)

    private static func majorityNumber(of record: BreakRecord) -> (Identifier, Int)? {
        let most = record.pods.identifiers.filter { $0.value.viewerCount > 0 }
            .min { ($1.value.viewerCount, $0.key) < ($0.value.viewerCount, $1.key) }
        guard let most, most.key.hasPrefix("pod/"), let number = Int(most.key.dropFirst(4)) else { return nil }
        return (most, number)
    }

    private static func finding(
        _ code: FindingCode,
        _ record: BreakRecord,
        _ identifier: Identifier,
        _ words: (expected: String, observed: String)
    ) -> Finding {
        let use = identifier.value
        let seen = use.span?.replacingEvidence { evidence in
            let url = evidence.url.isEmpty ? identifier.key : evidence.url
            return Evidence(url: url, expected: words.expected, observed: words.observed)
        }
        let (count, asked) = (UInt64(clamping: use.viewerCount), record.pods.viewerCount)
        return Finding(code, record.key, count: count, use.viewers, of: asked, seen: seen)
    }
}

extension BreakRecord {
    fileprivate var endMicroseconds: Int64 {
        let length = Int64(max(durationMilliseconds, 1)).multipliedReportingOverflow(by: 1_000)
        let end = startMicroseconds.addingReportingOverflow(length.partialValue)
        return length.overflow || end.overflow ? .max : end.partialValue
    }
}
