import AdServing
import HLS
import Testing

@Suite struct IdentifierPolicyTests {
    private func time(_ text: String) throws -> WallTime { try #require(WallTime(iso8601: text)) }

    private func scheduled(_ text: String, ordinal: Int = 3, id: String? = nil) throws -> ScheduledBreak {
        let start = try time(text)
        return ScheduledBreak(start: start, duration: .seconds(10), key: "k", ordinal: ordinal, dateRangeID: id)
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
        let policy = IdentifierPolicy.guideSample
        let identifier = policy.identifier(for: try scheduled("2026-11-21T20:02:00Z"), clickedAt: try time(click))
        #expect((identifier, identifier.pathComponent) == (.adBreakID(name), "ad_break_id/" + name))
    }

    /// The defect the policy is there to show: one break, two names.
    @Test func theSampleSplitsTheViewersOfOneBreak() throws {
        let clicks = try ["2026-11-21T20:00:45Z", "2026-11-21T20:01:10Z"].map { try time($0) }
        let breaks = clicks.map { GuideMinuteRule.nextBreak(clickedAt: $0, duration: .seconds(10)) }
        #expect(breaks.first == breaks.last)
        let names = zip(breaks, clicks).map { IdentifierPolicy.guideSample.identifier(for: $0, clickedAt: $1) }
        #expect(Set(names).count == 2)
        let template = IdentifierPolicy.synchronised(template: "break-{start}")
        #expect(Set(zip(breaks, clicks).map { template.identifier(for: $0, clickedAt: $1) }).count == 1)
    }

    @Test(arguments: [
        ("break-{start}", "break-1795291200"), ("b{ordinal}", "b3"), ("{id}", "dr-7"),
        ("{start}-{ordinal}-{id}", "1795291200-3-dr-7"),
        ("Mid Roll_{ordinal}!", "mid-roll-3-"), ("", "break-1795291200"), ("{unknown}", "-unknown-"),
    ])
    func synchronisedNamesComeFromTheBreakAlone(_ template: String, _ name: String) throws {
        let scheduled = try scheduled("2026-11-21T20:00:00Z", id: "DR_7")
        let policy = IdentifierPolicy.synchronised(template: template)
        for click in ["2026-11-21T19:00:00Z", "2026-11-21T19:59:59Z"] {
            #expect(policy.identifier(for: scheduled, clickedAt: try time(click)) == .adBreakID(name))
        }
    }

    @Test(arguments: [("19:59:59.990", 0), ("20:00:00.010", 0), ("20:00:00.499", 0), ("20:00:00.500", 1)])
    func aStartIsRoundedToTheNearestSecond(_ text: String, _ seconds: Int) throws {
        let policy = IdentifierPolicy.synchronised(template: "{start}")
        let scheduled = try scheduled("2026-11-21T\(text)Z")
        let name = "\(1_795_291_200 + seconds)"
        #expect(policy.identifier(for: scheduled, clickedAt: scheduled.start) == .adBreakID(name))
    }

    @Test func aBreakWithoutADateRangeIsNamedByItsStart() throws {
        let policy = IdentifierPolicy.synchronised(template: "x-{id}")
        let scheduled = try scheduled("2026-11-21T20:00:00Z")
        #expect(policy.identifier(for: scheduled, clickedAt: scheduled.start) == .adBreakID("x-1795291200"))
    }

    @Test func longNamesAreCutAndStayApart() throws {
        let policy = IdentifierPolicy.synchronised(template: "{id}")
        let long = String(repeating: "long", count: 40)
        let names = try (0..<100).map { index in
            let scheduled = try scheduled("2026-11-21T20:00:00Z", id: long + "\(index)")
            return policy.identifier(for: scheduled, clickedAt: scheduled.start).pathComponent
        }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.dropFirst("ad_break_id/".count).count <= 63 })
    }

    @Test func sequenceIsTheBreaksNumber() throws {
        let scheduled = try scheduled("2026-11-21T20:00:00Z", ordinal: 7)
        #expect(IdentifierPolicy.sequence.identifier(for: scheduled, clickedAt: scheduled.start) == .sequence(7))
    }
}
