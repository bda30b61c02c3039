import Foundation
import Results
import Rules
import TestSupport
import Testing

/// Servers that share no line with podswarm, in a framework of others: what is wrong in them is found, and nothing else of what they do
/// that is lawful and common.
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

    /// Whose ads each cohort shares, by what their addresses have in common.
    private static let ofCohorts = [
        "--set", "breaks={stitched: true, stitchedAds: [/v1/segment]}", "--set", "pods={match: cohort}",
    ]

    /// Servers with what is wrong in them, and what is found of how many viewers and nothing else.
    ///
    /// Window and run together are as long as the time from one stitched break to the next: everybody sees ads.
    private static let scenes: [(Server, fault: String, settings: [String], touched: [String: Int])] = [
        (.podServing, "leak stray", inRenditions, ["foreign_stream_id": viewers / 3, "pod_mismatch": 1]),
        (.stitched, "stray", ofCohorts, ["stitched_mismatch": 1]),
        (
            .mediaTailor, "all", [],
            ["foreign_stream_id": viewers / 3, "ping_doubled": viewers / 3, "pod_part_unreachable": viewers / 3]
        ),
    ]

    @Test(arguments: scenes.indices) func whatIsWrongIsFoundForWhomItTouchedAndNothingElse(index: Int) async throws {
        let (server, fault, settings, touched) = Self.scenes[index]
        let (outcome, told) = try await Self.rehearse(server, fault: fault, settings)
        let document = outcome.document
        #expect(document.viewers["registered"] == UInt64(Self.viewers) && told == [], "nothing was allowed")
        let compared = document.breaks.each.map { Int($0.compared ?? 0) }
        switch server {
        case .podServing:
            #expect(document.breaks.fillOfCohorts?.count == 3)
            // A pod with another's session is compared with no other pod.
            let all = compared.reduce(outcome.missedInAds, +)
            #expect(outcome.isAll(all, of: Self.viewers * 2 / 3), "\(compared)")
        case .stitched: #expect(outcome.isAll(compared.max() ?? 0, of: Self.viewers), "\(compared)")
        default:
            #expect(Int(document.viewers["beacons_withheld"] ?? 0) >= (outcome.isCalm ? Self.viewers : 1))
            #expect(document.viewers["beacons_sent"] ?? 0 == 0)
        }
        #expect(Set(touched.keys).isSuperset(of: outcome.findings), "\(outcome.end.output)")
        for (code, count) in touched {
            // On a busy machine the one viewer that is given a stray ad may be late for it, or that be the more common one.
            let mayBeOther = count == 1 && !outcome.isCalm
            guard let finding = outcome.finding(code) else {
                #expect(mayBeOther, "\(code) is not found: \(outcome.end.output)")
                continue
            }
            #expect(mayBeOther || outcome.isAll(finding.viewers, of: count), "\(code): \(finding.viewers)")
            guard code == "pod_mismatch" else { continue }
            #expect(finding.occurrences.first?.first?.observed.hasPrefix("ad 1 is another: ") == true)
        }
    }

    private static let updating = [
        "--set", "target.podServing.sessionUpdates={share: 100%, every: 2s, adTagParameters: {npa: '1'}}", "--set",
        "pods={match: session}",
    ]

    @Test func idsThatAdsCarryArePingedWholeAndSessionsAreUpdatedWithWhatTheyWereMadeWith() async throws {
        let more = ["--set", "impressions=allowed", "--set", "playback.segments=ads"]
        let (outcome, all) = try await Self.rehearse(.podServing, viewers: 1, more + Self.updating)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        #expect(outcome.finding("verification_not_found") == nil)
        let updates = try #require(outcome.document.requests["session_update"])
        let updated = all.filter { $0.hasPrefix("updated ") }
        // The end of the run may cut one off before the server reads it.
        let cut = Int(updates.outcomes["abandoned"] ?? 0)
        #expect((Int(updates.count) - cut...Int(updates.count)).contains(updated.count))
        #expect(updates.errors == 0 && updated.count >= 2)
        #expect(updated.allSatisfy { $0.hasPrefix("updated cust_params=region%3D") && $0.hasSuffix("npa=1") }, "\(all)")
        let told = all.filter { !$0.hasPrefix("updated ") }.map(String.init)
        let ad = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"].map { "pinged \($0)" }
        #expect(Set(told) == Set(ad), "no prefix and no progress")
        guard outcome.isCalm else { return StarvedMachine.isTooBusy(for: "a viewer to be in time") }
        #expect(told == ad + ad, "two ads in a break, no prefix and no progress")
        let counts = outcome.document.viewers
        #expect(counts["pings_recorded"] == 8)
        #expect(counts["pings_sent_by_others"] == 2)
    }

    @Test func nobodyElseIsAskedAndWhatWouldAllowThatIsSaidTwice() async throws {
        let (outcome, told) = try await Self.rehearse(
            .podServing,
            fault: "elsewhere metadata",
            viewers: 3,
            Self.updating
        )
        let updates = try #require(outcome.document.requests["session_update"])
        let metadata = try #require(outcome.document.requests["metadata"])
        #expect(updates.count >= 6 && updates.errors == 0, "nothing that was not sent is an error of the target")
        for request in [updates, metadata] { #expect(request.outcomes == ["unauthorised_host": request.count]) }
        let leftOut = try #require(outcome.document.leftOut)
        #expect(leftOut.hosts.count == 2)
        #expect(leftOut.hosts.contains { $0.host == "192.0.2.1" && $0.requests == updates.count })
        let host = try #require(leftOut.hosts.first { $0.host == "metadata.example.net:8443" })
        #expect(host.kind == "metadata" && host.requests == metadata.count)
        #expect(host.allowedBy == "target.podServing.authorisedHosts")
        #expect(told == [] && outcome.document.viewers["registered"] == 3)
        let late = outcome.document.breaks.each.reduce(0) { $0 + $1.late }
        let met = Int(outcome.document.breaks.onTime + late) + outcome.missedInAds
        #expect(outcome.isAll(met, of: 3), "\(outcome.end.output)")
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
        let shown = outcome.end.output + outcome.end.errors + result + page
        #expect(!shown.contains(#/(:|%3A)TUL|npa=1/#))
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
}
