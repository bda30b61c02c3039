import Results
import Rules
import Testing

extension ResultDocument {
    mutating func leaveFindings(_ severities: [Severity]) throws {
        let pattern = try #require(findings.first)
        findings = severities.map { severity in
            var finding = pattern
            (finding.code, finding.severity) = ("example_\(severity.rawValue)", severity.rawValue)
            (finding.whereToLook, finding.allowance) = ("The log of \(severity.rawValue).", nil)
            finding.allowed = false
            return finding
        }
    }
}

extension ReportedChange {
    static let findings = [
        ReportedChange("advice alone") { try $0.leaveFindings([.advice]) },
        ReportedChange("suspicion alone") { try $0.leaveFindings([.suspect]) },
        ReportedChange("each severity") { document in
            try document.leaveFindings(Severity.allCases)
            document.findings[0].allowance = "3"
        },
        ReportedChange("wrong beyond its allowance") { document in
            try document.leaveFindings([.wrong])
            document.findings[0].allowance = "2%"
        },
        ReportedChange("wrong within its allowance") { document in
            try document.leaveFindings([.wrong])
            (document.findings[0].allowance, document.findings[0].allowed) = ("2%", true)
        },
        ReportedChange("a sighting without a URL") { $0.findings[0].occurrences[0].first?.url = "" },
        ReportedChange("one sighting") { document in
            document.findings[0].occurrences[0].last = document.findings[0].occurrences[0].first
        },
        ReportedChange("a finding of two cohorts and more places") { document in
            let occurrence = document.findings[0].occurrences[0]
            document.findings[0].occurrences = ["region=north", "region=south"].map { cohort in
                var one = occurrence
                (one.breakKey, one.cohort) = ("20:00", cohort)
                return one
            }
            document.findings[0].occurrencesNotListed = 3
        },
        ReportedChange("a finding allowed and one of a later version") { document in
            (document.findings[0].allowed, document.findings[1].code) = (true, "of_a_later_version")
        },
    ]
}
