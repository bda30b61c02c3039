import ArgumentParser
import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Rules
import Swarm
import Values

struct CapacityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("capacity")

    @OptionGroup var profile: ProfileOptions

    @OptionGroup(title: "What is looked for") var question: QuestionOptions

    @OptionGroup(title: "How it is looked for") var means: SearchOptions

    @OptionGroup(title: "Many machines") var sharding: ShardOptions

    @OptionGroup(title: "Virtual time") var virtual: VirtualOptions

    @OptionGroup var result: ResultOptions

    @Option("file", "Also write the result here; - is standard output.")
    var json: String?

    @Flag(help: "Print what would be asked, and for how long, and ask nothing.")
    var dry = false

    @Flag(help: "Begin anew where an interrupted search of the same kind could go on.")
    var anew = false

    func run() async throws {
        let plan = try profile.plan(overrides: result.overrides + profile.overrides)
        if let json { try OutputPlace.checkFolder(of: json, for: "--json \(json)") }
        let shard = try sharding.party(mergesByItself: true)
        try shard?.mark.check(plan)
        let stripe = shard.map { AudienceStripe($0.mark.index, of: $0.mark.count) } ?? .whole
        let searched = try SearchedPlan(plan, question: question, means: means, stripe: stripe)
        let search = Search(
            searched: searched,
            profileFolder: profile.folder,
            results: URL(fileURLWithPath: result.results),
            labels: try RunLabels.parse(result.labels),
            clock: try virtual.clock(of: plan, without: [(sharding.isUsed, "--shard and --rendezvous")]),
            output: RunOutput(quiet: result.quiet, keepsOutputClear: json == OutputPlace.standardOutput),
            anew: anew,
            json: json,
            writesReport: !result.noReport
        )
        guard !dry else { return try await search.showForecast(shards: stripe.count) }
        // The first run checks it only after the whole plan was printed.
        try ScratchFolder.check()
        let requests = RunRequests()
        Interruption.listen(for: requests)
        throw try await search.run(with: shard, at: sharding.meeting, requests).code
    }
}

extension CapacityDocument {
    var exit: PodswarmExit {
        if state == .interrupted { return .interrupted }
        if let wanted = asked.atLeast, let failed = fails(wanted) { return failed ? .targetFailed : .passed }
        return answer.kind == .found ? .passed : .notDecidable
    }

    /// Whether the answer is worse than the demand; nil if uncertain.
    private func fails(_ wanted: Double) -> Bool? {
        let sign = asked.quantity.isHarderWithMore ? 1.0 : -1
        let signed = { (value: Double?) in value.map { $0 * sign } }
        let (better, worse) = sign > 0 ? (answer.lower, answer.upper) : (answer.upper, answer.lower)
        let wanted = wanted * sign
        switch answer.kind {
        case .found, .wide:
            if let better = signed(better), better >= wanted { return false }
            return signed(worse).flatMap { $0 < wanted ? true : nil }
        case .atLeast: return signed(answer.value).flatMap { $0 >= wanted ? false : nil }
        case .below: return signed(answer.value).flatMap { $0 <= wanted ? true : nil }
        case .unknown: return nil
        }
    }
}

struct QuestionOptions: ParsableArguments {
    @Option(
        "threshold",
        "What each break must be like, such as 'breaks.on_time >= 99%'; may be repeated; the profile's thresholds on breaks if left out.",
        name: .customLong("hold")
    )
    var hold: [String] = []

    @Option(
        "quantity",
        "viewers, breaks.jitter or breaks.lead: the most viewers, or the least time that spares a given audience."
    )
    var of = CapacityQuestion.Quantity.viewers

    @Option("percent", "In which share of breaks it must hold.")
    var share = "95%"

    @Option("percent", "How far the ends of the 90% interval may be from the answer.")
    var within = "10%"

    @Option("amount", "Fail where the capacity is below this; of a time, where more is needed.")
    var atLeast: String?
}

extension CapacityQuestion.Quantity: ExpressibleByArgument {}

struct SearchOptions: ParsableArguments {
    @Option(
        "amount",
        "Where the audience, or the time, begins; an eighth of the profile's viewers, or of the ceiling, if left out."
    )
    var from: String?

    @Option(
        "amount",
        "No more than this is tried; four times the profile's viewers, or what this machine can carry, if left out."
    )
    var ceiling: String?

    @Option(
        "number",
        "Breaks of a run, but for those that find the order of magnitude; 10 if left out, 5 of the channel's."
    )
    var breaks: Int?

    @Option("number", "No more runs than this; 12 if left out, 24 where the channel schedules the breaks.")
    var runs: Int?

    @Option(
        "duration",
        "Runs that would not end within this time are not begun; 2h if left out, 8h where the channel schedules the breaks.",
        name: .customLong("for")
    )
    var length: String?

    @Option(
        "duration",
        "Rest between two runs, so that the target recovers; none for the embedded origin if left out, else 10s."
    )
    var rest: String?

    @Option(
        "duration",
        "From one break to the next; as short as the profile's breaks allow, and 20s at least, if left out."
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

extension SearchedPlan {
    var nothingJudged: String {
        guard let watch else { return "a run had no break that could be judged" }
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
        let bounds = Self.bounds(plan, question.of, given: given, stripe)
        // Shards agree on a ceiling later.
        let most = stripe == .whole ? bounds.ceiling : largest
        let from = reader.size("--from", means.from, ofViewers: isOfViewers, floor...max(floor, most))
        let atLeast = reader.size("--at-least", question.atLeast, ofViewers: isOfViewers, 1...largest)
        let rule = reader.rule("--hold", question.hold)
        var searched: SearchedPlan?
        do throws(CommandFailure) {
            let largest: Duration = isOfViewers ? .zero : .milliseconds(Int64(bounds.ceiling))
            searched = try SearchedPlan(
                plan,
                quantity: question.of,
                rule: rule,
                spacing: spacing,
                watch: watch,
                length: length,
                largest: largest
            )
        } catch {
            reader.problems.append(error.message)
        }
        guard var searched, reader.problems.isEmpty else {
            throw CommandFailure(reader.problems.joined(separator: "\n"))
        }
        (searched.question.sharePercent, searched.question.withinPercent) = (share, within)
        (searched.question.from, searched.question.floor) = (from ?? max(floor, bounds.from), floor)
        (searched.question.ceiling, searched.question.ceilingReason) = (bounds.ceiling, bounds.reason)
        searched.question.breaksPerRun = means.breaks ?? (isOfChannel ? 5 : 10)
        searched.question.runsMaximum = means.runs ?? (isOfChannel ? 24 : 12)
        searched.question.timeMaximumSeconds = length / .seconds(1)
        searched.question.restMilliseconds = rest.millisecondsHeld
        searched.question.atLeast = atLeast
        self = searched
    }
}

extension SearchedPlan {
    /// Factor on the profile's viewers: room to search, but a limit on unexpected load on the target.
    private static let usualGrowth = 4
    private static let usualStart = 8.0

    /// `reason` is nil unless the ceiling is lower than wanted.
    private static func bounds(
        _ plan: LoadPlan,
        _ quantity: CapacityQuestion.Quantity,
        given: Double?,
        _ stripe: AudienceStripe
    ) -> (from: Double, ceiling: Double, reason: String?) {
        guard quantity == .viewers else {
            let usual = quantity == .jitter ? plan.breaks.lead : plan.breaks.lead * 2
            let ceiling = given ?? max(usual / .milliseconds(1), 1_000)
            return (ceiling, ceiling, nil)
        }
        let wanted = Int(given ?? Double(min(plan.audience.viewers * usualGrowth, 1_000_000)))
        let limits = Preflight.Limits.ofThisMachine()
        func problem(_ viewers: Int) -> String? {
            var larger = plan
            larger.audience.viewers = viewers
            larger.audience.curve = nil
            return Preflight(larger, limits, stripe).problems.first
        }
        let reason = problem(wanted)
        var (fits, tooMany) = (1, wanted + 1)
        while tooMany - fits > 1 {
            let middle = fits + (tooMany - fits) / 2
            if problem(middle) == nil { fits = middle } else { tooMany = middle }
        }
        let from = min(max((Double(plan.audience.viewers) / usualStart).rounded(), 1), Double(fits))
        return (from, Double(fits), reason)
    }
}

/// Collects mistakes, to report them together.
private struct OptionReader {
    var problems: [String] = []

    /// Nil without a text, and for a mistake; `form` says what is allowed.
    private mutating func read<Value>(
        _ name: String,
        _ text: String?,
        _ range: ClosedRange<Value>,
        as form: String,
        _ parse: (String) -> Value?
    ) -> Value? {
        guard let text else { return nil }
        if let value = parse(text), range.contains(value) { return value }
        problems.append("\(name) \(text): \(form)")
        return nil
    }

    mutating func duration(_ name: String, _ text: String?, _ range: ClosedRange<Duration>) -> Duration? {
        let form = "a duration from \(range.lowerBound.text) to \(range.upperBound.text), such as 20s"
        return read(name, text, range, as: form) { Duration(text: $0) }
    }

    mutating func percent(_ name: String, _ text: String, _ range: ClosedRange<Double>) -> Double? {
        let form = "from \(MetricText.percent(range.lowerBound)) to \(MetricText.percent(range.upperBound))"
        return read(name, text, range, as: form) { Double($0.hasSuffix("%") ? String($0.dropLast()) : $0) }
    }

    mutating func rule(_ name: String, _ texts: [String]) -> HoldRule? {
        guard !texts.isEmpty else { return nil }
        do throws(Problems) {
            return try HoldRule(parsing: texts)
        } catch {
            problems += error.all.map { "\(name): \($0)" }
            return nil
        }
    }

    mutating func size(_ name: String, _ text: String?, ofViewers: Bool, _ range: ClosedRange<Double>) -> Double? {
        let kind = ofViewers ? "a number of viewers" : "a duration, in milliseconds"
        let bounds = "from \(MetricText.number(range.lowerBound)) to \(MetricText.number(range.upperBound))"
        return read(name, text, range, as: "\(kind) \(bounds)") {
            ofViewers ? Int($0).map(Double.init) : Duration(text: $0).map { ($0 / .milliseconds(1)).rounded() }
        }
    }
}
