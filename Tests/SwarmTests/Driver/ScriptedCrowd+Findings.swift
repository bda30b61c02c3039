import AdServing
import Recording
import Rulebook
import RunResult

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

// What a run would report that ended now.
extension ScriptedCrowd {
    var totals: RunTotals { RunTotals(merging: [crowd.totals()]) }

    /// Findings but those about live playlists alone: the scripted ones keep few of their rules.
    var findings: [Finding] { totals.findings.filter { $0.code.group.isOfAds } }

    /// Codes of these findings, sorted.
    var codes: [String] { findings.map(\.code.code).sorted() }

    /// Codes of these findings, each with whether it is of the first break, sorted.
    var codesByBreak: [String] {
        findings.map { finding in
            guard let key = finding.breakKey else { return finding.code.code }
            return key == scheduled.first?.scheduled.key
                ? "\(finding.code.code) in the break" : "\(finding.code.code) in \(key)"
        }.sorted()
    }

    func findings(_ code: FindingCode) -> [Finding] { totals.findings.filter { $0.code == code } }

    /// First evidence of each finding.
    var evidence: [Evidence] { totals.findings.compactMap(\.first?.evidence) }
}

extension FindingCode.Group {
    var isOfAds: Bool { self == .pods || self == .sessions || self == .audience }
}

extension ViewerSlot {
    /// The viewer's own next break.
    var planned: PlannedBreak? { record.current?.planned }

    /// Pod identifier as it stands in the path.
    var podIdentifier: String { planned?.pathComponent ?? "" }

    /// The measurement's number for the viewer's next break.
    var breakSlot: Int32 { record.current?.slot ?? -1 }
}
