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
    /// How long an audience waits for breaks of the channel: an assumption.
    private static let usualWatch = Duration.seconds(1_800)
    /// So long after a break of the channel each playhead has come to it, that of a player far behind the live edge, too: an
    /// assumption.
    private static let furthestBehind = Duration.seconds(60)

    package let plan: LoadPlan
    package let quantity: CapacityQuestion.Quantity
    /// From one break to the next; zero where the channel schedules them.
    package let spacing: Duration
    /// How long the audience of a run waits for breaks of the channel, at most; nil where breaks are the viewers' own.
    package let watch: Duration?

    /// - Parameters:
    ///   - plan: The profile.
    ///   - quantity: What is looked for.
    ///   - spacing: From one break to the next; nil leaves it to the profile.
    ///   - watch: How long an audience waits for breaks of the channel, at most; nil takes what is usual within `length`.
    ///   - length: Of the whole search, at most.
    ///   - largest: The most that is tried of a quantity that is a time.
    /// - Throws: `Mistake` for a profile that cannot be searched so.
    package init(
        _ plan: LoadPlan,
        quantity: CapacityQuestion.Quantity,
        spacing: Duration? = nil,
        watch: Duration? = nil,
        length: Duration = .seconds(86_400),
        largest: Duration = .zero
    ) throws(Mistake) {
        self.plan = plan
        self.quantity = quantity
        let least = Self.leastSpacing(of: plan, largest)
        let isOfChannel = !plan.breaks.source.canBeListed
        self.spacing = isOfChannel ? .zero : spacing ?? max(least, .seconds(20))
        self.watch = isOfChannel ? watch ?? min(Self.usualWatch, length / 4) : nil
        var problems: [String] = []
        if plan.breaks.areNone {
            problems.append(
                "breaks: none: a capacity is the most viewers whose breaks hold; name where breaks come from"
            )
        }
        if isOfChannel, spacing != nil {
            problems.append(
                "--spacing: the breaks of this profile are the channel's, and come when it says; leave it out"
            )
        }
        if !isOfChannel, watch != nil {
            problems.append(
                "--run-for: the breaks of this profile are the viewers' own, and nobody waits for them; leave it out"
            )
        }
        if quantity != .viewers, plan.breaks.source == .none {
            problems.append(
                "breaks.source: \(quantity.rawValue) is of pods that viewers ask for themselves; interstitials are asked for when "
                    + "each persona says, and stitched breaks are not asked for"
            )
        }
        if !isOfChannel, let spacing, spacing < least {
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
    ///   - course: What happens in it, and who watches.
    ///   - value: Of the quantity, in milliseconds, where that is none of viewers.
    /// - Returns: A plan with digests of its own.
    package func run(_ course: RunCourse, value: Double? = nil) -> LoadPlan {
        var run = plan
        run.audience.viewers = course.viewers
        run.audience.curve = CurvePlan(points: course.points)
        run.audience.ramp = .zero
        run.duration = course.duration
        if case .listed(let timetable) = course {
            run.breaks.source = .list(timetable.breaks.map { ListedBreak($0) })
        }
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
        // Of the viewers' own: then viewers come and go for the next break.
        let patience = watch == nil ? spacing / 2 : Self.furthestBehind + run.breaks.grace
        return BreakGathering.Timing(
            leadMicroseconds: lead.nanosecondsHeld / 1_000,
            graceMicroseconds: run.breaks.grace.nanosecondsHeld / 1_000,
            patienceMicroseconds: patience.nanosecondsHeld / 1_000,
            isSpread: watch != nil
        )
    }

    /// Whether a viewer of whom nothing is heard in a break missed it.
    ///
    /// Breaks that the channel has besides those of the viewers' own come when they come, and nobody waits until each playhead
    /// is there.
    package var countsSilent: Bool {
        let hasOthers = plan.breaks.playsInterstitials || plan.breaks.recognisesStitched
        return plan.everybodyIsDue && (watch != nil || !hasOthers)
    }

    /// What happens in a run, and who watches.
    ///
    /// - Parameter sizes: Of the quantity, one for each break; where that is none of viewers, the profile's own watch.
    /// - Returns: Of breaks of the channel, which have one audience, that of the first size.
    package func course(_ sizes: [Double]) -> RunCourse {
        let sizes = sizes.map { quantity == .viewers ? Int(min(max($0, 1), 1e6)) : plan.audience.viewers }
        guard let watch else {
            return .listed(RunTimetable(sizes: sizes, spacing: spacing, joinsPerSecond: joinsPerSecond))
        }
        return .awaited(
            AwaitedBreaks(
                viewers: sizes.first ?? 1,
                count: sizes.count,
                longest: watch,
                joinsPerSecond: joinsPerSecond
            )
        )
    }

    /// How fast the profile's own audience joins.
    package var joinsPerSecond: Double {
        Double(plan.audience.viewers) / max(plan.audience.ramp / .seconds(1), 1)
    }
}

extension BreakPlan.Source {
    /// Whether viewers have breaks of their own, whose times can be others.
    package var canBeListed: Bool { !each.isEmpty && !readsDateRanges }
}
