import Foundation
import Rulebook
import RunResult
import TestSupport
import Testing

/// Servers that share no line with podswarm, in a framework of others: where they do what is lawful and common nothing is
/// found, and where one thing is wrong that and nothing else.
@Suite(.fewAtOnce) struct ForeignAdServerTests {
    private static let viewers = 200

    /// What a profile says of a server on a port.
    private struct Server: Sendable {
        let script: String
        let target: @Sendable (Substring) -> String
        let more: String

        /// Aimed at cohorts, signed anew, with a channel that is called by a stream id.
        static let podServing = podServing()

        /// The same with manifests that lead to renditions, which lie elsewhere in each answer.
        static let podsInRenditions = podServing(", renditions: \"2\"")

        private static func podServing(_ parameters: String = "") -> Server {
            Server(script: "pod_serving") { port in
                """
                  podServing:
                    contentURL: http://127.0.0.1:\(port)/live/master.m3u8
                    adServer: http://127.0.0.1:\(port)
                    networkCode: "1"
                    customAssetKey: sports
                    adTagParameters: {cust_params: "region={region}"\(parameters)}
                """
            } more: {
                """
                breaks: {source: {list: [5s, 11s]}, podDuration: 4s}
                pods: {match: cohort, repeatShare: 100%}
                """
            }
        }

        /// Ads of each session's own in its playlist, and no marker.
        static let stitched = Server(script: "stitched") { port in
            """
              urlTemplates:
                session: {url: "http://127.0.0.1:\(port)/v1/session?region={region}", streamID: /session/id}
                content: http://127.0.0.1:\(port)/v1/manifest/{stream_id}/master.m3u8
            """
        } more: {
            "breaks: {stitched: true}"
        }

        /// Interstitials whose ads are each session's own, and reported by the client.
        static func mediaTailor(_ impressions: String = "") -> Server {
            Server(script: "mediatailor") { port in
                """
                  mediaTailor:
                    server: http://127.0.0.1:\(port)
                    asset: 111122223333/live/index.m3u8
                    reporting: client
                    adsParameters: {region: "{region}"}
                """
            } more: {
                "breaks: {interstitials: true}\n\(impressions)"
            }
        }

        /// Redirected from one address to either of two hosts.
        static let twoCDNs = Server(script: "two_cdns") { port in
            """
              urlTemplates:
                content: http://127.0.0.1:\(port)/master.m3u8
                authorisedHosts: [localhost]
            """
        } more: {
            """
            breaks: {stitched: true}
            connection: {traceShare: 25%}
            """
        }

        init(
            script: String,
            target: @escaping @Sendable (Substring) -> String,
            more: @Sendable () -> String
        ) {
            (self.script, self.target, self.more) = (script, target, more())
        }

        /// What no machine is too slow for: figures of time are no thresholds here.
        func profile(port: Substring, viewers: Int) -> String {
            """
            name: foreign
            duration: 16s
            target:
            \(target(port))
            audience:
              viewers: \(viewers)
              ramp: 2s
              traits: [{name: region, values: [north, south, east]}]
            \(more)
            thresholds: ["viewers.joined > 0"]
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

            """
        }
    }

    private static func rehearse(
        _ server: Server,
        fault: String = "",
        viewers: Int,
        _ more: [String] = []
    ) async throws -> (Rehearsal.Outcome, told: [Substring]) {
        let script = PackageFolder.file("Tests/ForeignServers/\(server.script).py").path
        let process = try ChildProcess(try ExternalTool.python.path(), [script, "--fault", fault])
        return try await process.stopped {
            try await process.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            let port = process.output.prefix { $0.isNumber }
            let outcome = try await Rehearsal(server.profile(port: port, viewers: viewers)).run(more)
            return (outcome, process.output.split(separator: "\n").filter { $0.first?.isNumber == false })
        }
    }

    /// One viewer starves no machine: there is no finding at all then.
    ///
    /// What must hold holds, whether or not the machine has time for the generator.
    private static func expectClean(_ outcome: Rehearsal.Outcome, viewers: Int) {
        #expect(outcome.findings == [], "\(outcome.end.output)")
        guard viewers == 1 else { return }
        guard outcome.isCalm else { return sayTooBusy() }
        let found = outcome.document.findings.filter { $0.severity != Severity.advice.rawValue }.map(\.code)
        #expect(found == [], "\(outcome.end.output)")
        #expect(outcome.document.thresholds.filter { !$0.passed }.map(\.text) == [], "\(outcome.end.output)")
    }

    private static func sayTooBusy() {
        Issue.record("the machine was too busy for a viewer to be in time", severity: .warning)
    }

    @Test(arguments: [1, viewers])
    func podsThatAreAimedAndSignedAreNeverRed(viewers: Int) async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, viewers: viewers)
        Self.expectClean(outcome, viewers: viewers)
        #expect(Int(outcome.document.breaks.due) + outcome.missedInAds == 2 * viewers)
        #expect(told == [])
        #expect(outcome.document.breaks.fillOfCohorts?.count == (viewers == 1 ? 1 : 3))
        let compared = outcome.document.breaks.each.reduce(0) { $0 + ($1.compared ?? 0) }
        #expect(Int(compared) + outcome.missedInAds == 2 * viewers)
    }

    @Test(arguments: [1, viewers])
    func renditionsThatLieElsewhereInEachAnswerAreNeverRed(viewers: Int) async throws {
        let (outcome, _) = try await Self.rehearse(.podsInRenditions, viewers: viewers)
        Self.expectClean(outcome, viewers: viewers)
        let compared = outcome.document.breaks.each.reduce(0) { $0 + ($1.compared ?? 0) }
        #expect(Int(compared) + outcome.missedInAds == 2 * viewers)
    }

    @Test(arguments: [
        ("leak", "foreign_stream_id", viewers / 3), ("stray", "pod_mismatch", 1),
        ("changed", "pod_changed_on_repeat", viewers),
    ])
    func whatIsWrongWithAdsOfRenditionsIsFoundForWhomItTouched(fault: String, code: String, touched: Int) async throws {
        let (outcome, _) = try await Self.rehearse(.podsInRenditions, fault: fault, viewers: Self.viewers)
        #expect(outcome.findings == [code], "\(outcome.end.output)")
        let finding = try #require(outcome.finding(code))
        #expect(finding.viewers == touched)
        guard fault != "leak" else { return }
        #expect(finding.occurrences.first?.first?.observed.hasPrefix("ad 1 is another: ") == true)
    }

    @Test func idsThatAdsCarryArePingedWholeAndAtTheirTime() async throws {
        let more = ["--set", "impressions=allowed", "--set", "playback.segments=ads"]
        let (outcome, told) = try await Self.rehearse(.podServing, viewers: 1, more)
        #expect(outcome.findings == [])
        #expect(outcome.finding("verification_not_found") == nil)
        let ad = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"].map { "pinged \($0)" }
        #expect(Set(told.map(String.init)) == Set(ad), "no prefix and no progress")
        guard outcome.isCalm else { return Self.sayTooBusy() }
        #expect(told.map(String.init) == ad + ad + ad + ad, "two ads in each of two breaks, no prefix and no progress")
        let counts = outcome.document.viewers
        #expect(counts["pings_recorded"] == 16)
        #expect(counts["pings_sent_by_others"] == 4)
    }

    @Test(arguments: [
        ("leak", "foreign_stream_id", viewers / 3), ("stray", "pod_mismatch", 1),
        ("changed", "pod_changed_on_repeat", viewers), ("short", "pod_underfilled", viewers),
    ])
    func whatIsWrongWithPodsIsFoundForWhomItTouched(fault: String, code: String, touched: Int) async throws {
        let (outcome, _) = try await Self.rehearse(.podServing, fault: fault, viewers: Self.viewers)
        #expect(outcome.findings == [code], "\(outcome.end.output)")
        #expect(outcome.finding(code)?.viewers == touched)
    }

    private static func updating(_ more: String = "") -> [String] {
        let updates = "{share: 100%, every: 2s, adTagParameters: {npa: '1'}\(more)}"
        return ["--set", "target.podServing.sessionUpdates=\(updates)", "--set", "pods={match: session}"]
    }

    @Test(arguments: [
        ("", "cust_params=region%3D"), (", sends: changed", "npa=1"), (", body: json", "cust_params=region%3D"),
    ])
    func sessionsAreUpdatedInTheFormThatIsWanted(more: String, told beginning: String) async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, viewers: 3, Self.updating(more))
        #expect(outcome.findings == [], "\(outcome.end.output)")
        let updates = try #require(outcome.document.requests["session_update"])
        #expect(updates.count == UInt64(told.count) && updates.errors == 0 && told.count >= 6)
        #expect(told.allSatisfy { $0.hasPrefix("updated \(beginning)") && $0.hasSuffix("npa=1") }, "\(told)")
    }

    @Test func nobodyIsUpdatedWhereNobodyHasAuthorisedIt() async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, fault: "elsewhere", viewers: 3, Self.updating())
        let updates = try #require(outcome.document.requests["session_update"])
        #expect(updates.count >= 6 && updates.errors == 0, "nothing that was not sent is an error of the target")
        #expect(updates.outcomes == ["unauthorised_host": updates.count])
        #expect(outcome.document.leftOut?.hosts.map(\.host) == ["192.0.2.1"])
        #expect(told == [] && outcome.document.viewers["registered"] == 3)
        let late = outcome.document.breaks.each.reduce(0) { $0 + $1.late }
        #expect(Int(outcome.document.breaks.onTime + late) + outcome.missedInAds == 6, "\(outcome.end.output)")
        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        let shown = outcome.end.output + outcome.end.errors + result
        #expect(!shown.contains(":TUL") && !shown.contains("%3ATUL") && !shown.contains("npa=1"))
    }

    @Test func metadataOnAnotherHostIsSaidTwiceWithWhatAllowsIt() async throws {
        let (outcome, _) = try await Self.rehearse(.podServing, fault: "metadata", viewers: 3)
        let leftOut = try #require(outcome.document.leftOut)
        #expect(leftOut.hosts.map(\.kind) == ["metadata"] && leftOut.hosts.map(\.requests) == [leftOut.requests])
        #expect(leftOut.hosts.first?.host == "metadata.example.net:8443")
        #expect(leftOut.hosts.first?.allowedBy == "target.podServing.authorisedHosts")
        #expect(outcome.document.requests["metadata"]?.outcomes == ["unauthorised_host": leftOut.requests])
        let allowed = "add metadata.example.net:8443 to target.podServing.authorisedHosts"
        #expect(outcome.end.errors.contains(allowed), "\(outcome.end.errors)")
        let printed = outcome.end.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(printed.contains(allowed), "\(outcome.end.output)")
        let page = try String(
            contentsOf: outcome.resultFile.deletingPathExtension().appendingPathExtension("html"),
            encoding: .utf8
        )
        #expect(page.contains("id=\"left-out\"") && page.contains("metadata.example.net:8443"))
        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        #expect(!(outcome.end.output + outcome.end.errors + result + page).contains(#/(:|%3A)TUL/#))
    }

    @Test func whereNoAddressIsNamedUpdatesAreCountedAndNotSent() async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, fault: "silent", viewers: 3, Self.updating())
        #expect(outcome.findings == [] && told == [], "\(outcome.end.output)")
        #expect(outcome.document.requests["session_update"]?.count ?? 0 == 0)
        #expect(outcome.document.viewers["session_updates_without_url"].map { $0 >= 6 } == true)
    }

    @Test(arguments: [1, viewers])
    func adsThatAreStitchedForEachSessionAreNeverRed(viewers: Int) async throws {
        // Without a marker there is no break that could be in time.
        let (outcome, _) = try await Self.rehearse(.stitched, viewers: viewers, ["--set", "breaks=none"])
        Self.expectClean(outcome, viewers: viewers)
        #expect(outcome.document.viewers["registered"] == UInt64(viewers))
    }

    @Test func aStitchedPlaylistOfAnothersSessionIsFound() async throws {
        let (outcome, _) = try await Self.rehearse(.stitched, fault: "leak", viewers: Self.viewers)
        #expect(outcome.findings == ["foreign_stream_id"], "\(outcome.end.output)")
        // Window and run together are as long as the time from one break to the next: everybody sees ads.
        #expect(outcome.finding("foreign_stream_id")?.viewers == Self.viewers / 3)
    }

    /// Whose ads each cohort shares, by what their addresses have in common.
    private static let told = [
        "--set", "breaks={stitched: true, stitchedAds: [/v1/segment]}", "--set", "pods={match: cohort}",
    ]

    @Test(arguments: [1, viewers])
    func unmarkedAdsThatAreAimedAtCohortsAreNeverRed(viewers: Int) async throws {
        let (outcome, _) = try await Self.rehearse(.stitched, viewers: viewers, Self.told)
        Self.expectClean(outcome, viewers: viewers)
        #expect(outcome.document.breaks.each.contains { $0.compared == UInt64(viewers) })
    }

    @Test func anUnmarkedAdThatIsNotItsCohortsIsFoundForWhomItTouched() async throws {
        let (outcome, _) = try await Self.rehearse(.stitched, fault: "stray", viewers: Self.viewers, Self.told)
        #expect(outcome.findings == ["stitched_mismatch"], "\(outcome.end.output)")
        #expect(outcome.finding("stitched_mismatch")?.viewers == 1)
    }

    @Test(arguments: [1, viewers])
    func guidedAdsThatTheClientReportsAreNeverRed(viewers: Int) async throws {
        let (outcome, told) = try await Self.rehearse(.mediaTailor(), viewers: viewers)
        Self.expectClean(outcome, viewers: viewers)
        #expect(outcome.document.viewers["registered"] == UInt64(viewers))
        #expect(told == [], "nothing was allowed")
        #expect(outcome.document.viewers["beacons_withheld"].map { $0 >= UInt64(viewers) } == true)
        #expect(outcome.document.viewers["beacons_sent"] ?? 0 == 0)
    }

    @Test(arguments: [1, viewers])
    func allowedBeaconsOfGuidedAdsArriveOnce(viewers: Int) async throws {
        let (outcome, told) = try await Self.rehearse(.mediaTailor("impressions: allowed"), viewers: viewers)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        #expect(told.count >= viewers)
        #expect(Set(told).count == told.count)
        #expect(outcome.document.viewers["beacons_sent"] == UInt64(told.count))
        #expect(!told.contains { line in ["mute", "pause"].contains { line.hasSuffix($0) } })
    }

    @Test(arguments: [("leak", "foreign_stream_id"), ("doubled", "ping_doubled"), ("gone", "pod_part_unreachable")])
    func whatIsWrongWithGuidedAdsIsFoundForWhomItTouched(fault: String, code: String) async throws {
        let (outcome, _) = try await Self.rehearse(.mediaTailor(), fault: fault, viewers: Self.viewers)
        #expect(outcome.findings == [code], "\(outcome.end.output)")
        #expect(outcome.finding(code)?.viewers == Self.viewers / 3)
    }

    @Test(arguments: [1, viewers])
    func oneChannelOnTwoCDNsIsNeverRed(viewers: Int) async throws {
        let (outcome, all) = try await Self.rehearse(.twoCDNs, viewers: viewers)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        // The first is how a run sees whether its target is there, before any viewer joins.
        #expect(all.first == "a -")
        let told = all.dropFirst()
        // Both ends count the same answers for the same edges.
        let edges = try #require(outcome.document.edges)
        let counts = ["FRA56-P3": told.count { $0.hasPrefix("a ") }, "AMS": told.count { $0.hasPrefix("b ") }]
        let counted = Dictionary(edges.each.map { ($0.pop ?? "", Int($0.count)) }) { $0 + $1 }
        #expect(counted == counts.filter { $0.value > 0 })
        #expect(Set(edges.each.map(\.address)).count == 1 && edges.others == nil && edges.withoutConnection == 0)
        #expect(edges.each.allSatisfy { $0.requests["playlist"]?.p99Microseconds ?? 0 > 0 })
        // What requests carried came in its form, and as often as it was to.
        let traces = told.map { $0.dropFirst(2) }.filter { $0 != "-" }
        #expect(traces.allSatisfy { $0.wholeMatch(of: #/00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01/#) != nil })
        #expect(Set(traces).count == traces.count)
        // Six standard deviations of as many draws; one viewer makes too few to tell.
        let expected = Double(told.count) / 4
        let slack = 6 * (expected * 0.75).squareRoot()
        #expect(viewers == 1 || abs(Double(traces.count) - expected) < slack, "\(traces.count) of \(told.count)")
        let slowest = outcome.document.slowestAnswers ?? []
        #expect(slowest.contains { $0.kind == "playlist" && $0.served?.contains("TCP_HIT") == true })
        #expect(slowest.compactMap(\.traceID).allSatisfy { id in traces.contains { $0.contains("-\(id)-") } })
    }

    @Test func aCDNThatStandsStillIsFoundForItsViewers() async throws {
        let (outcome, told) = try await Self.rehearse(.twoCDNs, fault: "still", viewers: Self.viewers)
        // A machine that stands still itself makes such findings, too.
        let codes = outcome.document.findings.filter { $0.severity != "advice" }.map(\.code)
        #expect(codes.contains("playlist_stale"), "\(outcome.end.output)")
        #expect(StarvedMachine.findings.isSuperset(of: codes), "\(outcome.end.output)")
        let finding = try #require(outcome.finding("playlist_stale"))
        #expect(finding.viewers >= Self.viewers / 2)
        guard outcome.isCalm else { return Self.sayTooBusy() }
        #expect(codes == ["playlist_stale"] && finding.viewers == Self.viewers / 2, "\(outcome.end.output)")
        let seen = finding.occurrences.flatMap { [$0.first, $0.last] }.compactMap(\.self)
        #expect(!seen.isEmpty)
        for sighting in seen {
            #expect(sighting.address?.hasPrefix("127.0.0.1:") == true)
            #expect(sighting.served?.contains("X-Served-By: cache-lga21984-LGA, cache-ams2100-AMS") == true)
            guard let id = sighting.traceID else { continue }
            #expect(told.contains { $0.hasPrefix("b 00-\(id)-") })
        }
    }
}
