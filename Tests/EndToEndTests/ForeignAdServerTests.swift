import Foundation
import Results
import Rules
import TestSupport
import Testing

/// Servers that share no line with podswarm, in a framework of others: where they do what is lawful and common nothing is
/// found, and where one thing is wrong that and nothing else.
///
/// Over sockets, because the servers share no line with podswarm.
@Suite(.fewWaiting) struct ForeignAdServerTests {
    private static let viewers = 60

    /// By the name of its script.
    private enum Server: String {
        case podServing = "pod_serving"
        case stitched
        case mediaTailor = "mediatailor"
        case twoCDNs = "two_cdns"
    }

    /// Manifests of `podServing` then lead to renditions, which lie elsewhere in each answer.
    private static let inRenditions = [
        "--set", "target.podServing.adTagParameters={cust_params: 'region={region}', renditions: '2'}",
    ]

    private static func rehearse(
        _ server: Server,
        fault: String = "",
        viewers: Int = Self.viewers,
        _ more: [String] = []
    ) async throws -> (Rehearsal.Outcome, told: [Substring]) {
        try await ForeignScript.serving(server.rawValue, ["--fault", fault]) { port, process in
            let profile = try ForeignScript.profile(server.rawValue, url: "http://127.0.0.1:\(port)")
            let outcome = try await Rehearsal(profile).run(["--viewers", "\(viewers)"] + more)
            return (outcome, process.output.split(separator: "\n").filter { $0.first?.isNumber == false })
        }
    }

    /// Without a marker there is no break that could be in time.
    private static let unmarked = ["--set", "breaks=none"]

    /// Whose ads each cohort shares, by what their addresses have in common.
    private static let ofCohorts = [
        "--set", "breaks={stitched: true, stitchedAds: [/v1/segment]}", "--set", "pods={match: cohort}",
    ]

    /// Servers with what is wrong in them, and what is found of how many viewers; nothing where all is lawful.
    ///
    /// Window and run together are as long as the time from one stitched break to the next: everybody sees ads.
    private static let scenes: [(Server, fault: String, settings: [String], code: String?, touched: Int)] = [
        (.podServing, "", [], nil, 0), (.podServing, "short", [], "pod_underfilled", viewers),
        (.podServing, "", inRenditions, nil, 0),
        (.podServing, "leak", inRenditions, "foreign_stream_id", viewers / 3),
        (.podServing, "stray", inRenditions, "pod_mismatch", 1),
        (.podServing, "changed", inRenditions, "pod_changed_on_repeat", viewers),
        (.stitched, "", unmarked, nil, 0), (.stitched, "leak", [], "foreign_stream_id", viewers / 3),
        (.stitched, "", ofCohorts, nil, 0), (.stitched, "stray", ofCohorts, "stitched_mismatch", 1),
        (.mediaTailor, "", [], nil, 0), (.mediaTailor, "leak", [], "foreign_stream_id", viewers / 3),
        (.mediaTailor, "doubled", [], "ping_doubled", viewers / 3),
        (.mediaTailor, "gone", [], "pod_part_unreachable", viewers / 3),
    ]

    @Test(arguments: scenes.indices) func whatIsWrongIsFoundForWhomItTouchedAndNothingElse(index: Int) async throws {
        let (server, fault, settings, code, touched) = Self.scenes[index]
        let (outcome, told) = try await Self.rehearse(server, fault: fault, settings)
        let document = outcome.document
        // The one viewer that is given a stray pod may be late for it.
        let mayBeOther = fault == "stray" && !outcome.isCalm
        if mayBeOther, outcome.findings.isEmpty { return StarvedMachine.isTooBusy(for: "a stray pod") }
        #expect(outcome.findings == [code].compactMap(\.self), "\(outcome.end.output)")
        guard let code else {
            #expect(document.viewers["registered"] == UInt64(Self.viewers))
            let compared = document.breaks.each.map { Int($0.compared ?? 0) }
            switch server {
            case .podServing:
                #expect(told == [] && document.breaks.fillOfCohorts?.count == 3)
                let all = compared.reduce(outcome.missedInAds, +)
                #expect(outcome.isAll(all, of: 2 * Self.viewers), "\(compared)")
            case .stitched:
                let most = compared.max() ?? 0
                let isOfCohorts = settings == Self.ofCohorts
                #expect(isOfCohorts ? outcome.isAll(most, of: Self.viewers) : most < Self.viewers, "\(compared)")
            default:
                #expect(told == [], "nothing was allowed")
                #expect(Int(document.viewers["beacons_withheld"] ?? 0) >= (outcome.isCalm ? Self.viewers : 1))
                #expect(document.viewers["beacons_sent"] ?? 0 == 0)
            }
            return
        }
        let finding = try #require(outcome.finding(code))
        // A stray pod may be the more common one on a busy machine.
        #expect(mayBeOther || outcome.isAll(finding.viewers, of: touched), "\(finding.viewers)")
        guard ["stray", "changed"].contains(fault), server == .podServing else { return }
        #expect(finding.occurrences.first?.first?.observed.hasPrefix("ad 1 is another: ") == true)
    }

    @Test func idsThatAdsCarryArePingedWholeAndAtTheirTime() async throws {
        let more = ["--set", "impressions=allowed", "--set", "playback.segments=ads"]
        let (outcome, told) = try await Self.rehearse(.podServing, viewers: 1, more)
        #expect(outcome.findings == [])
        #expect(outcome.finding("verification_not_found") == nil)
        let ad = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"].map { "pinged \($0)" }
        #expect(Set(told.map(String.init)) == Set(ad), "no prefix and no progress")
        guard outcome.isCalm else { return StarvedMachine.isTooBusy(for: "a viewer to be in time") }
        #expect(told.map(String.init) == ad + ad + ad + ad, "two ads in each of two breaks, no prefix and no progress")
        let counts = outcome.document.viewers
        #expect(counts["pings_recorded"] == 16)
        #expect(counts["pings_sent_by_others"] == 4)
    }

    private static let updating = [
        "--set", "target.podServing.sessionUpdates={share: 100%, every: 2s, adTagParameters: {npa: '1'}}", "--set",
        "pods={match: session}",
    ]

    @Test func sessionsAreUpdatedWithWhatTheyWereMadeWith() async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, viewers: 3, Self.updating)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        let updates = try #require(outcome.document.requests["session_update"])
        // The end of the run may cut one off before the server reads it.
        let cut = Int(updates.outcomes["abandoned"] ?? 0)
        #expect((Int(updates.count) - cut...Int(updates.count)).contains(told.count))
        #expect(updates.errors == 0 && told.count >= 6)
        #expect(told.allSatisfy { $0.hasPrefix("updated cust_params=region%3D") && $0.hasSuffix("npa=1") }, "\(told)")
    }

    @Test func nobodyIsUpdatedWhereNobodyHasAuthorisedIt() async throws {
        let (outcome, told) = try await Self.rehearse(.podServing, fault: "elsewhere", viewers: 3, Self.updating)
        let updates = try #require(outcome.document.requests["session_update"])
        #expect(updates.count >= 6 && updates.errors == 0, "nothing that was not sent is an error of the target")
        #expect(updates.outcomes == ["unauthorised_host": updates.count])
        #expect(outcome.document.leftOut?.hosts.map(\.host) == ["192.0.2.1"])
        #expect(told == [] && outcome.document.viewers["registered"] == 3)
        let late = outcome.document.breaks.each.reduce(0) { $0 + $1.late }
        let met = Int(outcome.document.breaks.onTime + late) + outcome.missedInAds
        #expect(outcome.isAll(met, of: 6), "\(outcome.end.output)")
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

    @Test func allowedBeaconsOfGuidedAdsArriveOnce() async throws {
        let (outcome, told) = try await Self.rehearse(.mediaTailor, ["--set", "impressions=allowed"])
        #expect(outcome.findings == [], "\(outcome.end.output)")
        #expect(!told.isEmpty && Set(told).count == told.count)
        #expect(!told.contains { line in ["mute", "pause"].contains { line.hasSuffix($0) } })
        guard outcome.isCalm else { return StarvedMachine.isTooBusy(for: "everybody's ads") }
        #expect(told.count >= Self.viewers)
        #expect(outcome.document.viewers["beacons_sent"] == UInt64(told.count))
    }

    @Test func oneChannelOnTwoCDNsIsNeverRed() async throws {
        let (outcome, all) = try await Self.rehearse(.twoCDNs)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        // The first is how a run sees whether its target is there, before any viewer joins.
        #expect(all.first == "a -")
        let told = all.dropFirst()
        // Both ends count the same answers for the same edges, but for those that the end of the run cuts off.
        let edges = try #require(outcome.document.edges)
        let cut = outcome.document.requests.values.reduce(0) { $0 + ($1.outcomes["abandoned"] ?? 0) }
        let named = edges.each.filter { $0.pop != nil }
        for (pop, line) in [("FRA56-P3", "a "), ("AMS", "b ")] {
            let counted = named.filter { $0.pop == pop }.reduce(0) { $0 + Int($1.count) }
            let answered = told.count { $0.hasPrefix(line) }
            #expect((answered - Int(cut)...answered).contains(counted), "\(pop): \(counted) of \(answered)")
        }
        #expect(Set(named.compactMap(\.pop)).isSubset(of: ["FRA56-P3", "AMS"]))
        #expect(Set(edges.each.map(\.address)).count == 1 && edges.others == nil && edges.withoutConnection <= cut)
        #expect(named.allSatisfy { $0.requests["playlist"]?.p99Microseconds ?? 0 > 0 })
        let playlists = named.compactMap { $0.requests["playlist"] }
        #expect(playlists.allSatisfy { $0.cacheHits == $0.count - $0.errors && $0.cacheMisses == 0 })
        // What requests carried came in its form, and as often as it was to.
        let traces = told.map { $0.dropFirst(2) }.filter { $0 != "-" }
        #expect(traces.allSatisfy { $0.wholeMatch(of: #/00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01/#) != nil })
        #expect(Set(traces).count == traces.count)
        // Six standard deviations of as many draws.
        let expected = Double(told.count) / 4
        let slack = 6 * (expected * 0.75).squareRoot()
        #expect(abs(Double(traces.count) - expected) < slack, "\(traces.count) of \(told.count)")
        let slowest = outcome.document.slowestAnswers ?? []
        #expect(slowest.contains { $0.kind == "playlist" && $0.served?.contains("TCP_HIT") == true })
        #expect(slowest.compactMap(\.traceID).allSatisfy { id in traces.contains { $0.contains("-\(id)-") } })
    }

    @Test func aCDNThatStandsStillIsFoundForItsViewers() async throws {
        let (outcome, told) = try await Self.rehearse(.twoCDNs, fault: "still")
        // A machine that stands still itself makes such findings, too.
        let codes = outcome.document.findings.filter { $0.severity != "advice" }.map(\.code)
        #expect(codes.contains("playlist_stale"), "\(outcome.end.output)")
        #expect(StarvedMachine.findings.isSuperset(of: codes), "\(outcome.end.output)")
        let finding = try #require(outcome.finding("playlist_stale"))
        guard outcome.isCalm else { return StarvedMachine.isTooBusy(for: "what stands still to be the server's") }
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
