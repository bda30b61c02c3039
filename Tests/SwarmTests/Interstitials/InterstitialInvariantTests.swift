import AdServing
import HLS
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

@Suite struct InterstitialInvariantTests {
    private static let seeds = 150

    @Test func everyScheduledEventComesToExactlyOneThing() throws {
        var scheduled = 0
        var outcomes: [ViewerCounter: Int] = [:]
        for seed in 0..<Self.seeds {
            var random = ViewerChance(seed: 0xE7E27, viewer: seed)
            let channel = Self.channel(&random, seed: seed)
            for _ in 0..<Int(random.next() % 16 + 4) {
                channel.run(seconds: random.unit() * 8)
                Self.check(channel, "seed \(seed)")
            }
            channel.viewer.leave()
            let books = channel.viewer.books
            #expect(books.scheduled == books.ended, "seed \(seed): \(channel.viewer.notes)")
            #expect(channel.viewer.timers.isEmpty, "seed \(seed)")
            scheduled += books.scheduled
            for counter in Self.settlements { outcomes[counter, default: 0] += channel.counted(counter) }
        }
        // The walk must have been to the places that it is about.
        #expect(scheduled > Self.seeds)
        for counter in Self.settlements { #expect(outcomes[counter, default: 0] > 0, "\(counter) never came") }
    }

    private static let settlements: [ViewerCounter] = [
        .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
    ]

    private static func check(_ channel: InterstitialChannel, _ name: String) {
        let events = channel.viewer.adEvents
        let playing = events.count { $0 == .adBreakStarted } - events.count { $0 == .adBreakEnded }
        #expect((0...1).contains(playing), "\(name): \(playing) breaks play at once")
        let books = channel.viewer.books
        #expect(books.ended <= books.scheduled, "\(name): \(books)")
        #expect(channel.counted(.eventsStarted) <= books.scheduled, "\(name)")
        let keys = channel.outcomes.compactMap { $0.split(separator: " ").first }
        #expect(Set(keys).count == keys.count, "\(name): a break came to two things: \(channel.outcomes)")
        let dues = channel.viewer.eventNotes.count { $0.1 == .breakDue }
        #expect(dues == channel.outcomes.count { !$0.contains("skipped") }, "\(name)")
        let breaks = channel.viewer.machine.screen
        let isOn = breaks.current != nil
        #expect((channel.viewer.machine.phase == .inBreak) == isOn, "\(name): \(channel.viewer.machine.phase)")
    }

    private static func channel(_ random: inout ViewerChance, seed: Int) -> InterstitialChannel {
        let triggers: [InterstitialFacts.Trigger] = [
            .buffered, .bufferedOrEdge(lookAhead: .seconds(10)), .playhead(.seconds(4)), .playheadTargets(3),
            .discovery,
        ]
        let preloads: [InterstitialFacts.Preload] = [.ignored, .randomPoint, .rangeStart]
        let ranges = Self.ranges(&random)
        let trigger = triggers[Int(random.next() % 5)]
        let preload = preloads[Int(random.next() % 3)]
        let loadsSegments = random.happens(0.3)
        let bits = random.next()
        let joins = random.unit() * 40
        return InterstitialChannel(ranges, trigger: trigger, preload: preload, joining: joins, number: seed) {
            $0.playback.segments = loadsSegments ? .ads : .none
            if bits & 1 == 0 { $0.audience.skips = NavigationPlan(share: 0.7, every: .seconds(4)) }
            if bits & 2 == 0 {
                $0.audience.seeks = NavigationPlan(share: 1, every: .seconds(15), distance: .seconds(9))
            }
        } facts: {
            $0.interstitials.loadsAssetsTogether = bits & 4 == 0
            $0.interstitials.loadsOneListAtATime = bits & 8 == 0
            $0.interstitials.sendsStartOffset = bits & 16 == 0
            $0.requests.assetList.total = .seconds(5)
            $0.requests.asset.total = .seconds(5)
            $0.requests.assetList.afterError = RetryRule(retries: Int(bits >> 5 & 1), firstWait: .seconds(1))
        } replies: { channel in
            channel.windowSegments = 16
            channel.reply("/list/", .list([("x.m3u8", 3), ("y.m3u8", 2), ("z.m3u8", 4)]), after: Double(bits >> 8 & 3))
            for (place, name) in ["/list/e0", "/list/e1", "/list/e2", "x.m3u8", "y.m3u8", "/e4.m3u8"].enumerated() {
                switch bits >> (10 + UInt64(place) * 4) & 15 {
                case 0, 1: channel.reply(name, .failure(.unavailable))
                case 2: channel.reply(name, .silence)
                case 3: channel.reply(name, name.hasPrefix("/list") ? .list([]) : .live)
                default: break
                }
            }
        }
    }

    private static func ranges(_ random: inout ViewerChance) -> [InterstitialChannel.Listed] {
        let attributes = [
            "", "DURATION=9", "X-RESUME-OFFSET=0", "X-RESUME-OFFSET=3", "X-PLAYOUT-LIMIT=4", "X-RESTRICT=\"SKIP,JUMP\"",
            "CUE=\"PRE\"", "CUE=\"ONCE\"", "X-SNAP=\"OUT,IN\"", "DURATION=12,X-SKIP-CONTROL-OFFSET=2",
        ]
        var ranges: [InterstitialChannel.Listed] = []
        for number in 0..<6 {
            let start = (random.unit() * 70).rounded()
            let text = attributes[Int(random.next() % UInt64(attributes.count))]
            let id = "e\(number)"
            let list = number == 4 ? InterstitialChannel.Listed.asset : InterstitialChannel.Listed.list
            var listed = list(id, start, text)
            listed.from = start - 20 + random.unit() * 20
            if random.happens(0.25) {
                listed.until = listed.from + random.unit() * 30
                if random.happens(0.5) {
                    var limited = listed
                    limited.tag += text.contains("LIMIT") ? "" : ",X-PLAYOUT-LIMIT=2"
                    limited.from = listed.until
                    limited.until = 100_000
                    ranges.append(limited)
                }
            }
            ranges.append(listed)
            if random.happens(0.4) {
                var preload = InterstitialChannel.Listed.preload(of: id, from: start - 15, to: start - 2)
                preload.from = start - 25
                if random.happens(0.3) { preload.until = start - 10 }
                ranges.append(preload)
            }
        }
        return ranges
    }
}
