import Foundation
import RunResult
import TestSupport
import Testing

/// A splice that an ad server cannot read: the break is made, and what the answers warn of is told.
@Suite(.fewAtOnce) struct AdServerWarningTests {
    private static let warning =
        "The SCTE 35 signal of the request cannot be read: it is neither base64 nor hexadecimal."

    private static var profile: String {
        var profile = FastProfile.embedded
        profile.target += "    scte35: notASplice\n"
        return profile.yaml
    }

    @Test func aRunCountsThemAndShowsThem() async throws {
        let outcome = try await Rehearsal(Self.profile).inVirtualTime()
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let warnings = try #require(outcome.document.adServerWarnings)
        #expect(warnings.map(\.kind) == ["pod_manifest"])
        let pods = try #require(warnings.first)
        #expect(pods.answers > 0 && pods.texts.map(\.text) == [Self.warning])
        #expect(pods.texts.map(\.answers) == [pods.answers])
        let asked = try #require(outcome.document.requests["pod_manifest"])
        #expect(pods.answers <= asked.count)
        #expect(outcome.end.output.contains("Warnings of the ad server"))
        let page = try String(
            contentsOf: outcome.resultFile.deletingPathExtension().appendingPathExtension("html"),
            encoding: .utf8
        )
        #expect(page.contains("id=\"warnings\"") && page.contains(Self.warning))
    }

    @Test func aCheckTellsThem() async throws {
        let rehearsal = try Rehearsal(Self.profile)
        let end = try await PodswarmExecutable.run(["check", rehearsal.profile, "--patience", "60s"])
        #expect(
            end.output.contains("The ad server warns: \(Self.warning) (pod_manifest)"),
            "\(end.output)\(end.errors)"
        )
    }
}
