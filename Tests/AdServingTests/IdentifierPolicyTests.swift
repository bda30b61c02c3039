import AdServing
import HLS
import Testing

@Suite struct IdentifierPolicyTests {
    private func time(_ text: String) throws -> WallTime { try #require(WallTime(iso8601: text)) }

    private func scheduled(_ text: String, ordinal: Int = 3, id: String? = nil) throws -> ScheduledBreak {
        let start = try time(text)
        return ScheduledBreak(start: start, duration: .seconds(10), key: "k", ordinal: ordinal, dateRangeID: id)
    }

    private func named(_ scheduled: ScheduledBreak, _ template: String, clickedAt: WallTime? = nil) -> PodIdentifier {
        let click = clickedAt ?? scheduled.start
        return IdentifierPolicy.synchronised.identifier(for: scheduled, clickedAt: click, template: template)
    }

    /// The sample's arithmetic: `60 - seconds % 60`, and 60 more if that is less than 30.
    @Test(arguments: [
        ("2026-11-21T20:00:00Z", "2026-11-21T20:01:00.000Z"), ("2026-11-21T20:00:00.999Z", "2026-11-21T20:01:00.000Z"),
        ("2026-11-21T20:00:30Z", "2026-11-21T20:01:00.000Z"), ("2026-11-21T20:00:30.999Z", "2026-11-21T20:01:00.000Z"),
        ("2026-11-21T20:00:31Z", "2026-11-21T20:02:00.000Z"), ("2026-11-21T20:00:59.999Z", "2026-11-21T20:02:00.000Z"),
        ("2026-11-21T20:01:00Z", "2026-11-21T20:02:00.000Z"),
    ]) func theGuidesBreakIsTheNextMinuteOrTheOneAfter(_ click: String, _ start: String) throws {
        let next = GuideMinuteRule.nextBreak(clickedAt: try time(click), duration: .seconds(10))
        #expect((next.start.iso8601, next.key, next.duration) == (start, start, .seconds(10)))
        #expect(Int64(next.ordinal) * 60 == next.start.epochSeconds)
    }

    @Test func theGuideLeavesThirtyToEightyNineSeconds() throws {
        let base = try time("2026-11-21T20:00:00Z")
        let leads = (0..<60).map { second in
            let click = base + .seconds(second)
            return GuideMinuteRule.nextBreak(clickedAt: click, duration: .zero).start.duration(since: click)
        }
        #expect(leads.min() == .seconds(30))
        #expect(leads.max() == .seconds(89))
    }

    @Test(arguments: [
        ("2026-11-21T20:00:10Z", "mid-roll-29921521"), ("2026-11-21T20:00:45Z", "mid-roll-29921521"),
        ("2026-11-21T20:01:10Z", "mid-roll-29921522"), ("1970-01-01T00:00:00Z", "mid-roll-1"),
    ]) func theSampleNamesThePodAfterTheMinuteOfTheClick(_ click: String, _ name: String) throws {
        let scheduled = try scheduled("2026-11-21T20:02:00Z")
        let identifier = IdentifierPolicy.guideSample.identifier(
            for: scheduled,
            clickedAt: try time(click),
            template: ""
        )
        #expect((identifier, identifier.pathComponent) == (.adBreakID(name), "ad_break_id/" + name))
    }

    /// The defect the policy is there to show: one break, two names.
    @Test func theSampleSplitsTheViewersOfOneBreak() throws {
        let clicks = try ["2026-11-21T20:00:45Z", "2026-11-21T20:01:10Z"].map { try time($0) }
        let breaks = clicks.map { GuideMinuteRule.nextBreak(clickedAt: $0, duration: .seconds(10)) }
        #expect(breaks.first == breaks.last)
        for (policy, count) in [(IdentifierPolicy.guideSample, 2), (.synchronised, 1)] {
            let names = zip(breaks, clicks).map {
                policy.identifier(for: $0, clickedAt: $1, template: "break-{start}")
            }
            #expect(Set(names).count == count)
        }
    }

    @Test(arguments: [
        ("break-{start}", "break-1795291200"), ("b{ordinal}", "b3"), ("{id}", "dr-7"),
        ("{start}-{ordinal}-{id}", "1795291200-3-dr-7"),
        ("Mid Roll_{ordinal}!", "mid-roll-3-"), ("", "break-1795291200"), ("{unknown}", "-unknown-"),
    ])
    func synchronisedNamesComeFromTheBreakAlone(_ template: String, _ name: String) throws {
        let scheduled = try scheduled("2026-11-21T20:00:00Z", id: "DR_7")
        for click in ["2026-11-21T19:00:00Z", "2026-11-21T19:59:59Z"] {
            #expect(named(scheduled, template, clickedAt: try time(click)) == .adBreakID(name))
        }
    }

    @Test(arguments: [("19:59:59.990", 0), ("20:00:00.010", 0), ("20:00:00.499", 0), ("20:00:00.500", 1)])
    func aStartIsRoundedToTheNearestSecond(_ text: String, _ seconds: Int) throws {
        let scheduled = try scheduled("2026-11-21T\(text)Z")
        #expect(named(scheduled, "{start}") == .adBreakID("\(1_795_291_200 + seconds)"))
    }

    @Test func aBreakWithoutADateRangeIsNamedByItsStart() throws {
        #expect(named(try scheduled("2026-11-21T20:00:00Z"), "x-{id}") == .adBreakID("x-1795291200"))
    }

    @Test func longNamesAreCutAndStayApart() throws {
        let long = String(repeating: "long", count: 40)
        let names = try (0..<100).map { index in
            named(try scheduled("2026-11-21T20:00:00Z", id: long + "\(index)"), "{id}").pathComponent
        }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.dropFirst("ad_break_id/".count).count <= 63 })
    }

    @Test func sequenceIsTheBreaksNumber() throws {
        let scheduled = try scheduled("2026-11-21T20:00:00Z", ordinal: 7)
        let identifier = IdentifierPolicy.sequence.identifier(for: scheduled, clickedAt: scheduled.start, template: "")
        #expect(identifier == .sequence(7))
    }
}
