import Foundation
import Rules
import TestSupport
import Testing

/// No rule is invented: each names where it is written, or calls itself an assumption and names what changes it.
@Suite struct RuleTests {
    @Test func everyRuleRestsOnSomething() {
        for row in FindingCode.table { #expect(!row.rule.bases.isEmpty, "\(row.code)") }
    }

    @Test func everySectionCanBeFound() {
        for row in FindingCode.table {
            for citation in row.rule.citations {
                let document = citation.document
                if let section = document.section {
                    #expect(
                        section.wholeMatch(of: /([A-H]|[1-9][0-9]?)(\.[1-9][0-9]?)*/) != nil,
                        "\(row.code): \(section)"
                    )
                    #expect(document.name.hasSuffix(" \(section)"), "\(row.code)")
                } else {
                    #expect(document.address != nil, "\(row.code): a page without an address")
                }
                #expect(citation.statement.count > 8, "\(row.code): says nothing of \(document.name)")
            }
        }
    }

    @Test func everyAddressIsOne() throws {
        for row in FindingCode.table {
            for address in row.rule.citations.compactMap(\.document.address) {
                let url = try #require(URL(string: address), "\(row.code): \(address)")
                #expect(url.scheme == "https" && url.host()?.contains(".") == true, "\(row.code): \(address)")
            }
        }
    }

    /// MediaTailor's owner looks nothing up at Google, and the other way round.
    @Test(arguments: [([Vendor.aws], "Google"), ([.google], "AWS Elemental MediaTailor"), ([], "Google")])
    func noRuleOfAnotherVendorIsCited(vendors: [Vendor], foreign: String) {
        for row in FindingCode.table {
            let rule = row.rule.applying(to: vendors)
            #expect(!rule.bases.isEmpty && !rule.text.contains(foreign), "\(row.code): \(rule.text)")
            #expect(row.rule.applying(to: nil) == row.rule)
        }
        let refused = FindingCode.accessRefused.rule.applying(to: vendors)
        #expect(refused.citations.count == (vendors == [.google] ? 3 : 2) && refused.assumptions.count == 1)
        let split = FindingCode.breakIdentifierSplit.rule.applying(to: [.aws]).text
        #expect(split.hasPrefix("podswarm's assumption, changed by allowFindings: the identifier of a pod is unique"))
    }

    @Test func everyVendorIsQuoted() {
        for row in FindingCode.table {
            for citation in row.rule.citations where citation.document.section == nil {
                let title = citation.document.name
                #expect(title.wholeMatch(of: /.+, ".+"/) != nil, "\(row.code): \(title)")
                let quotation = citation.quotation ?? ""
                #expect(quotation.count > 10 && !quotation.contains("\""), "\(row.code): \(title) is not quoted")
                let isTold = row.rule.text.contains("\"\(quotation)\"")
                #expect(isTold, "\(row.code): the text leaves out what \(title) says")
            }
        }
    }

    @Test func whatIsNotEnglishIsTranslated() {
        for row in FindingCode.table {
            for citation in row.rule.citations {
                let isEnglish = citation.quotation?.allSatisfy(\.isASCII) ?? true
                #expect(isEnglish == (citation.translation == nil), "\(row.code): \(citation.saying)")
            }
        }
    }

    /// A vendor's name outside of its page's words is a claim that nobody can look up.
    @Test func nothingIsClaimedOfAVendorButItsOwnWords() {
        let vendors = [
            "Google", "Ad Manager", "AWS", "MediaTailor", "Apple", "Akamai", "shaka", "hls.js", "Media3", "AVPlayer",
            "IAB",
        ]
        for row in FindingCode.table {
            let claims = row.rule.citations.map(\.statement) + row.rule.assumptions.map(\.statement)
            for claim in claims { #expect(!vendors.contains { claim.contains($0) }, "\(row.code): \(claim)") }
        }
    }

    @Test func everyAssumptionSaysSoAndNamesWhatChangesIt() throws {
        let fields = try SchemaFields()
        for row in FindingCode.table {
            for assumption in row.rule.assumptions {
                #expect(row.rule.text.contains("podswarm's assumption"), "\(row.code)")
                #expect(!assumption.settings.isEmpty, "\(row.code): \(assumption.statement)")
                for setting in assumption.settings {
                    // Not in the expectation, which would print all fields.
                    let isThere = fields.contains(setting)
                    #expect(isThere, "\(row.code): no profile has \(setting)")
                    #expect(row.rule.text.contains(setting), "\(row.code): does not name \(setting)")
                }
            }
        }
    }

    /// The field names that the schema has, not those that it could have.
    @Test func aFieldThatNoProfileHasIsNotFound() throws {
        let fields = try SchemaFields()
        #expect(fields.contains("pods.adTolerance") && fields.contains("target.podServing.adServer"))
        #expect(!fields.contains("pods.adTolerances") && !fields.contains("adTolerance") && !fields.contains(""))
    }

    @Test(arguments: [FindingCode.podMismatch, .assetListMismatch, .stitchedMismatch, .edgeContentDiffers])
    func whatIsDifferentByDesignIsTheFirstCause(row: FindingCode) throws {
        let first = try #require(row.likelyCauses.first)
        #expect(first.contains("aimed at persons"), "\(row.code): \(first)")
        #expect(first.contains("pods.match"), "\(row.code): \(first)")
        let causes = row.likelyCauses.prefix(3).joined(separator: " ")
        #expect(causes.contains("frequency cap") && causes.contains("sign"), "\(row.code): \(causes)")
    }

    @Test func anotherPodOnRepeatIsAFrequencyCapBeforeItIsAFault() throws {
        let first = try #require(FindingCode.podChangedOnRepeat.likelyCauses.first)
        #expect(first.contains("frequency cap") && first.contains("pods.repeatShare"), "\(first)")
    }

    @Test func anUnknownMediaIDIsAPrefixBeforeItIsAFault() throws {
        #expect(try #require(FindingCode.verificationNotFound.likelyCauses.first).contains("prefix"))
    }

    @Test func textsAreMadeOfTheStructure() {
        let rule = FindingCode.earlyReturnMissed.rule
        #expect(
            rule.text == """
                HLS (rfc8216bis-22) section 6.2.1: an update comes at most 1.5 target durations after the one before; \
                podswarm's assumption, changed by allowFindings: it reaches every viewer within that time of the first
                """
        )
        let address = "https://datatracker.ietf.org/doc/html/draft-pantos-hls-rfc8216bis-22#section-6.2.1"
        #expect(rule.citations.map(\.document.address) == [address])
        let appendix = FindingCode.assetListEmpty.rule.citations.map(\.document)
        #expect(appendix.map(\.name) == ["HLS (rfc8216bis-22) appendix D.5"])
        #expect(appendix.compactMap(\.address).allSatisfy { $0.hasSuffix("#appendix-D.5") })
        #expect(FindingCode.tokenExpired.rule.text.contains("(\"Expiration timestamp for this token in seconds.\")"))
    }
}
