package import CapacityResult
package import LoadProfile
import Thresholds
import Time

/// A profile whose runs a search asks for: what of it stays, and what each run replaces.
package struct SearchedPlan: Sendable {
    /// Why a profile's capacity cannot be looked for, all at once.
    package struct Mistake: Error, CustomStringConvertible {
        package let problems: [String]

        package var description: String { problems.joined(separator: "\n") }
    }

    /// Where requests die in numbers a run ends, whether the profile has a condition or not: an assumption.
    private static let usualAbort = "all.errors > 50%"

    package let plan: LoadPlan
    package let quantity: CapacityQuestion.Quantity
    package let spacing: Duration

    /// - Parameters:
    ///   - plan: The profile.
    ///   - quantity: What is looked for.
    ///   - spacing: From one break to the next; nil leaves it to the profile.
    ///   - largest: The most that is tried of a quantity that is a time.
    /// - Throws: `Mistake` for a profile that cannot be searched so.
    package init(
        _ plan: LoadPlan,
        quantity: CapacityQuestion.Quantity,
        spacing: Duration? = nil,
        largest: Duration = .zero
    ) throws(Mistake) {
        self.plan = plan
        self.quantity = quantity
        let least = Self.leastSpacing(of: plan, largest)
        self.spacing = spacing ?? max(least, .seconds(20))
        var problems: [String] = []
        if !plan.breaks.source.canBeListed {
            problems.append(
                "breaks.source: the breaks of this profile are the channel's, so that no audience can be made ready for each; "
                    + "a search needs breaks of the viewers' own (breaks.source with every, list, guideMinute or trigger)"
            )
        }
        if let spacing, spacing < least {
            problems.append(
                "--spacing \(spacing.text): a break is over after \(least.text) at the earliest (breaks.podDuration, grace, lead)"
            )
        }
        if quantity == .jitter, plan.breaks.trigger == .rendezvous {
            problems.append(
                "breaks.trigger: viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
            )
        }
        guard problems.isEmpty else { throw Mistake(problems: problems) }
    }

    /// Breaks must not meet, and viewers change only when pods are in hand and before anybody asks for the next.
    private static func leastSpacing(of plan: LoadPlan, _ largest: Duration) -> Duration {
        let breaks = plan.breaks
        let ahead = max(breaks.lead + breaks.jitter, largest * 2)
        let judging = (breaks.grace + .seconds(2)) * 2
        let asking = (ahead + .milliseconds(500)) * 4
        return max(breaks.podDuration + ahead + .seconds(2), judging, asking, RunTimetable.leastSpacing)
    }

    /// The plan of one run.
    ///
    /// - Parameters:
    ///   - timetable: When its breaks are, and who watches.
    ///   - value: Of the quantity, in milliseconds, where that is none of viewers.
    /// - Returns: A plan with digests of its own.
    package func run(_ timetable: RunTimetable, value: Double? = nil) -> LoadPlan {
        var run = plan
        run.audience.viewers = timetable.viewers
        run.audience.curve = CurvePlan(points: timetable.points)
        run.audience.ramp = .zero
        run.duration = timetable.duration
        run.breaks.source = .list(timetable.breaks.map { ListedBreak($0) })
        run.windows.warmUp = nil
        if let value {
            let time = Duration.milliseconds(Int64(min(max(value, 0), 3_600_000)))
            // No request may be spread to after its break.
            switch quantity {
            case .viewers: break
            case .jitter: (run.breaks.jitter, run.breaks.lead) = (time, max(run.breaks.lead, time))
            case .lead: (run.breaks.lead, run.breaks.jitter) = (time, min(run.breaks.jitter, time))
            }
        }
        if run.abort.isEmpty, let rule = try? ThresholdRule(parsing: Self.usualAbort) {
            run.abort = [PlannedThreshold(rule: rule)]
            run.abortAfter = .seconds(10)
        }
        return run.digested()
    }

    /// When breaks of a run are judged.
    package func timing(of run: LoadPlan) -> BreakGathering.Timing {
        // An interval, so that the second in which its first requests are sent is looked at whole.
        let lead = run.breaks.lead + run.breaks.jitter + .seconds(1)
        return BreakGathering.Timing(
            leadMicroseconds: lead.nanosecondsHeld / 1_000,
            graceMicroseconds: run.breaks.grace.nanosecondsHeld / 1_000,
            // Then viewers come and go for the next break.
            patienceMicroseconds: (spacing / 2).nanosecondsHeld / 1_000
        )
    }

    /// When breaks of a run are, and who watches.
    ///
    /// - Parameter sizes: Of the quantity, one for each break; where that is none of viewers, the profile's own watch.
    /// - Returns: The timetable of a run.
    package func timetable(_ sizes: [Double]) -> RunTimetable {
        RunTimetable(
            sizes: sizes.map { quantity == .viewers ? Int(min(max($0, 1), 1e6)) : plan.audience.viewers },
            spacing: spacing,
            joinsPerSecond: joinsPerSecond
        )
    }

    /// How fast the profile's own audience joins.
    package var joinsPerSecond: Double {
        Double(plan.audience.viewers) / max(plan.audience.ramp / .seconds(1), 1)
    }
}

extension BreakPlan.Source {
    /// Whether viewers have breaks of their own, whose times can be others.
    fileprivate var canBeListed: Bool { !each.isEmpty && !readsDateRanges }
}
