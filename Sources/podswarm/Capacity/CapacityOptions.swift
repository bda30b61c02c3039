import ArgumentParser
import Profile
import Rehearsal
import Results
import Rules
import Swarm
import Values

struct QuestionOptions: ParsableArguments {
    @Option(
        name: .customLong("hold"),
        help: .value(
            "threshold",
            "What each break must be like, such as 'breaks.on_time >= 99%'; may be repeated; the profile's thresholds on breaks if left out."
        )
    )
    var hold: [String] = []

    @Option(
        help: .value(
            "quantity",
            "viewers, breaks.jitter or breaks.lead: the most viewers, or the least time that spares a given audience."
        )
    )
    var of = CapacityQuestion.Quantity.viewers

    @Option(help: .value("percent", "In which share of breaks it must hold."))
    var share = "95%"

    @Option(help: .value("percent", "How far the ends of the 90% interval may be from the answer."))
    var within = "10%"

    @Option(help: .value("amount", "Fail where the capacity is below this; of a time, where more is needed."))
    var atLeast: String?
}

extension CapacityQuestion.Quantity: ExpressibleByArgument {}

struct SearchOptions: ParsableArguments {
    @Option(
        help: .value(
            "amount",
            "Where the audience, or the time, begins; an eighth of the profile's viewers, or of the ceiling, if left out."
        )
    )
    var from: String?

    @Option(
        help: .value(
            "amount",
            "No more than this is tried; four times the profile's viewers, or what this machine can carry, if left out."
        )
    )
    var ceiling: String?

    @Option(
        help: .value(
            "number",
            "Breaks of a run, but for those that find the order of magnitude; 10 if left out, 5 of the channel's."
        )
    )
    var breaks: Int?

    @Option(
        help: .value("number", "No more runs than this; 12 if left out, 24 where the channel schedules the breaks.")
    )
    var runs: Int?

    @Option(
        name: .customLong("for"),
        help: .value(
            "duration",
            "Runs that would not end within this time are not begun; 2h if left out, 8h where the channel schedules the breaks."
        )
    )
    var length: String?

    @Option(
        help: .value(
            "duration",
            "Rest between two runs, so that the target recovers; none for the embedded origin if left out, else 10s."
        )
    )
    var rest: String?

    @Option(
        help: .value(
            "duration",
            "From one break to the next; as short as the profile's breaks allow, and 20s at least, if left out."
        )
    )
    var spacing: String?

    @Option(
        name: .customLong("run-for"),
        help:
            "How long the audience of a run waits at most for breaks that the channel schedules; 30m if left out, or a quarter of --for."
    )
    var watch: String?

    func validate() throws {
        if let breaks, !(2...100).contains(breaks) { throw ValidationError("--breaks must be from 2 to 100.") }
        if let runs, !(1...1_000).contains(runs) { throw ValidationError("--runs must be from 1 to 1000.") }
    }
}

struct SearchSetup {
    let searched: SearchedPlan
    let rule: HoldRule
    /// With shards, the question that all of them agreed on.
    var question: CapacityQuestion

    var plan: LoadPlan { searched.plan }

    var nothingJudged: String {
        guard let watch = searched.watch else { return "a run had no break that could be judged" }
        return
            "no break of the channel that could be judged began within \(watch.text): where they are rarer, take a longer "
            + "--run-for and --for; where they are not, look at how the run's viewers fared"
    }

    /// An error lists all mistakes; `stripe` is this process's part of the viewers.
    init(
        _ plan: LoadPlan,
        question: QuestionOptions,
        means: SearchOptions,
        stripe: AudienceStripe = .whole
    ) throws(CommandFailure) {
        var reader = OptionReader()
        let spacing = reader.duration("--spacing", means.spacing, RunCourse.leastSpacing ... .seconds(3_600))
        let usualRest: Duration = plan.target.isEmbedded ? .zero : .seconds(10)
        let rest = reader.duration("--rest", means.rest, .zero ... .seconds(3_600)) ?? usualRest
        let isOfChannel = !plan.breaks.source.canBeListed
        let usualLength = Duration.seconds(isOfChannel ? 28_800 : 7_200)
        let length = reader.duration("--for", means.length, .seconds(1) ... .seconds(864_000)) ?? usualLength
        let watch = reader.duration("--run-for", means.watch, .seconds(10) ... .seconds(864_000))
        let share = reader.percent("--share", question.share, 50...99.9) ?? 95
        let within = reader.percent("--within", question.within, 1...100) ?? 10
        let isOfViewers = question.of == .viewers
        let largest = isOfViewers ? 1_000_000.0 : 3_600_000
        // Each shard has at least one viewer.
        let floor = isOfViewers ? Double(stripe.count) : 1
        let given = reader.size("--ceiling", means.ceiling, ofViewers: isOfViewers, floor...largest)
        let bounds = SearchBounds(plan, question.of, given: given, stripe)
        // Shards agree on a ceiling later.
        let most = stripe == .whole ? bounds.ceiling : largest
        let from = reader.size("--from", means.from, ofViewers: isOfViewers, floor...max(floor, most))
        let atLeast = reader.size("--at-least", question.atLeast, ofViewers: isOfViewers, 1...largest)
        let rule = reader.rule("--hold", question.hold) ?? HoldRule(ofProfile: plan.thresholds.map(\.rule))
        var searched: SearchedPlan?
        do throws(SearchedPlan.Mistake) {
            let largest: Duration = isOfViewers ? .zero : .milliseconds(Int64(bounds.ceiling))
            searched = try SearchedPlan(
                plan,
                quantity: question.of,
                spacing: spacing,
                watch: watch,
                length: length,
                largest: largest
            )
        } catch {
            reader.problems += error.problems
        }
        guard let searched, reader.problems.isEmpty else {
            throw CommandFailure(.badInput, reader.problems.joined(separator: "\n"))
        }
        self.searched = searched
        self.rule = rule
        var asked = CapacityQuestion(question.of)
        asked.hold = rule.texts
        (asked.sharePercent, asked.withinPercent) = (share, within)
        (asked.from, asked.floor) = (from ?? max(floor, bounds.from), floor)
        (asked.ceiling, asked.ceilingReason) = (bounds.ceiling, bounds.reason)
        asked.breaksPerRun = means.breaks ?? (isOfChannel ? 5 : 10)
        asked.runsMaximum = means.runs ?? (isOfChannel ? 24 : 12)
        asked.timeMaximumSeconds = length / .seconds(1)
        asked.spacingMilliseconds = searched.spacing.millisecondsHeld
        asked.restMilliseconds = rest.millisecondsHeld
        asked.watchMaximumSeconds = searched.watch.map { $0 / .seconds(1) }
        asked.viewers = isOfViewers ? nil : plan.audience.viewers
        asked.atLeast = atLeast
        self.question = asked
    }
}

private struct SearchBounds {
    /// Factor on the profile's viewers: room to search, but a limit on unexpected load on the target.
    private static let usualGrowth = 4
    private static let usualStart = 8.0

    let from: Double
    let ceiling: Double
    /// Nil unless the ceiling is lower than wanted.
    let reason: String?

    init(_ plan: LoadPlan, _ quantity: CapacityQuestion.Quantity, given: Double?, _ stripe: AudienceStripe) {
        guard quantity == .viewers else {
            let usual = quantity == .jitter ? plan.breaks.lead : plan.breaks.lead * 2
            ceiling = given ?? max(usual / .milliseconds(1), 1_000)
            from = ceiling
            reason = nil
            return
        }
        let wanted = Int(given ?? Double(min(plan.audience.viewers * Self.usualGrowth, 1_000_000)))
        let limits = Preflight.Limits.ofThisMachine()
        func problem(_ viewers: Int) -> String? {
            var larger = plan
            larger.audience.viewers = viewers
            larger.audience.curve = nil
            return Preflight.problems(of: larger, limits: limits, stripe: stripe).first
        }
        reason = problem(wanted)
        var (fits, tooMany) = (1, wanted + 1)
        while tooMany - fits > 1 {
            let middle = fits + (tooMany - fits) / 2
            if problem(middle) == nil { fits = middle } else { tooMany = middle }
        }
        ceiling = Double(fits)
        from = min(max((Double(plan.audience.viewers) / Self.usualStart).rounded(), 1), ceiling)
    }
}

/// Collects mistakes, to report them together.
private struct OptionReader {
    var problems: [String] = []

    mutating func duration(_ name: String, _ text: String?, _ range: ClosedRange<Duration>) -> Duration? {
        guard let text else { return nil }
        guard let duration = Duration(text: text), range.contains(duration) else {
            problems.append(
                "\(name) \(text): a duration from \(range.lowerBound.text) to \(range.upperBound.text), such as 20s"
            )
            return nil
        }
        return duration
    }

    mutating func percent(_ name: String, _ text: String, _ range: ClosedRange<Double>) -> Double? {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let percent = Double(digits), range.contains(percent) else {
            problems.append(
                "\(name) \(text): from \(MetricText.percent(range.lowerBound)) to \(MetricText.percent(range.upperBound))"
            )
            return nil
        }
        return percent
    }

    mutating func rule(_ name: String, _ texts: [String]) -> HoldRule? {
        guard !texts.isEmpty else { return nil }
        do throws(HoldRule.Mistake) {
            return try HoldRule(parsing: texts)
        } catch {
            problems += error.problems.map { "\(name): \($0)" }
            return nil
        }
    }

    mutating func size(_ name: String, _ text: String?, ofViewers: Bool, _ range: ClosedRange<Double>) -> Double? {
        guard let text else { return nil }
        let value =
            ofViewers ? Int(text).map(Double.init) : Duration(text: text).map { ($0 / .milliseconds(1)).rounded() }
        guard let value, range.contains(value) else {
            let form = ofViewers ? "a number of viewers" : "a duration, in milliseconds"
            problems.append(
                "\(name) \(text): \(form) from \(MetricText.number(range.lowerBound)) to \(MetricText.number(range.upperBound))"
            )
            return nil
        }
        return value
    }
}
