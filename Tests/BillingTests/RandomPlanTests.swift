import Foundation
import Profile
import Rehearsal
import Results
import Swarm
import TestSupport
import Testing
import Values

/// Whatever a profile says, a run of it ends, and every viewer and request of it is accounted for.
struct RandomPlanTests {
    private static let length = "10m"

    @Test func everyViewerAndRequestIsAccountedFor() async throws {
        let folder = try TemporaryFolder()
        var refused: [String] = []
        for seed in 0..<Draws.of(4) {
            var draw = Draw(seed: UInt64(seed))
            let yaml = draw.profile(seed: seed, length: Self.length)
            let document: ResultDocument
            do {
                let plan = try ProfileReader().read(contentsOf: folder.write(yaml, to: "\(seed).yaml"))
                document = try await Self.rehearse(plan, seed: seed, in: folder)
            } catch {
                // Fields that do not go together: a reader that refuses them is right.
                let isOfOrigin = (error as? CommandFailure)?.exit == .badInput
                #expect(isOfOrigin || error is ProfileErrors, "\(error)")
                refused.append("\(error)")
                continue
            }
            let shown = Comment(rawValue: "seed \(seed)\n\(yaml)\n\(document.verdict)\n\(document.viewers)")
            #expect([0, 1, 3].contains(document.verdict.exitCode), shown)
            #expect(document.reconciliation?.agrees == true, shown)
            Self.expectSums(document, shown)
        }
        #expect(refused.count * 2 <= Draws.of(4), "\(refused)")
    }

    private static func rehearse(_ plan: LoadPlan, seed: Int, in folder: TemporaryFolder) async throws -> ResultDocument
    {
        let start = WallTime(microseconds: 1_795_291_200_000_000 + Int64(seed) * 7_000_000)
        let clock = RunClock.virtual(
            from: start,
            over: VirtualNetwork(latency: OriginLayout.answerTime, seed: plan.seed)
        )
        let session = RunSession.silent(plan, at: PackageFolder.file("Profiles/random.yaml"), clock, in: folder)
        return try await session.finish().document
    }

    private static func expectSums(_ document: ResultDocument, _ shown: Comment) {
        let viewers = document.viewers
        #expect(viewers["joined"] == viewers["left"], shown)
        let asked = document.run.asked.first { $0.name == "viewers" }
        #expect(asked?.requested == asked?.observed, shown)
        let polls = ["playlist", "blocking_playlist"].reduce(0) { $0 + (document.requests[$1]?.count ?? 0) }
        #expect(polls > 0, shown)
        for (kind, request) in document.requests {
            #expect(request.outcomes.values.reduce(0, +) == request.count, "\(kind) \(shown)")
        }
        for each in document.breaks.each {
            let failed = each.failed.values.reduce(0, +)
            #expect(each.due == each.onTime + each.late + failed, "\(each.key) \(shown)")
        }
        if let events = document.events { #expect(events.unaccounted == 0, shown) }
    }
}

private struct Draw {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed &+ 41) }

    private mutating func one(_ choices: String...) -> String { choices[Int(numbers.next() % UInt64(choices.count))] }

    private mutating func maybe(_ text: String) -> String { numbers.next() % 3 == 0 ? text : "" }

    mutating func profile(seed: Int, length: String) -> String {
        let shape = one("pod-serving", "pod-serving", "media-tailor-implicit", "media-tailor-explicit", "eyevinn-proxy")
        let hasPods = shape == "pod-serving"
        let channel = maybe(one("channels/interstitials.yaml", "channels/low-latency.yaml", "channels/targeted.yaml"))
        let source = one("every: 20s", "every: 45s", "list: [10s, 50s, 100s]", "dateRange: {}")
        let interstitials = hasPods ? maybe("interstitials: true") : "interstitials: true"
        let metadata = hasPods ? "" : ", metadata: false, verificationPings: false"
        return """
            name: random
            duration: \(length)
            seed: \(seed)
            target:
              embedded:
                shape: \(shape)
                segmentDuration: \(one("1s", "2s", "4s"))
                windowSegments: \(one("6", "8", "10"))
                variants: \(one("1", "2"))
                adDuration: \(one("2s", "5s", "10s"))
                sessionValidity: \(one("60s", "8h"))
                \(channel.isEmpty ? "" : "channel: \(PackageFolder.file("Profiles/\(channel)").path)")
            audience:
              viewers: \(one("1", "4", "12"))
              ramp: \(one("0s", "5s", "40s"))
              churnPerMinute: \(one("0%", "10%", "60%"))
              \(maybe("personas: [hlsjs, avplayer, shaka]"))
              \(maybe("pictureInPicture: {share: 50%, every: 40s, stay: 10s}"))
              \(interstitials.isEmpty ? "" : maybe("seeks: {share: 50%, every: 30s}"))
              \(interstitials.isEmpty ? "" : maybe("skips: {share: 50%, every: 30s}"))
            playback: {segments: \(one("none", "ads", "content", "all")), variant: \(one("first", "random"))\(metadata)}
            breaks:
              \(hasPods ? "source: {\(source)}" : "")
              \(interstitials)
              podDuration: \(one("4s", "10s", "15s"))
              grace: \(one("0s", "1s", "4s"))
              \(hasPods ? "trigger: \(one("rendezvous", "playhead"))" : "")
            impressions: \(one("allowed", "withheld"))

            """
    }
}
