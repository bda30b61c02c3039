import Capacity
import CapacityResult
import CapacityRuns
import Console
import EventLoop
import Foundation
import LoadProfile
import Rehearsal
import Report
import RunResult
import Thresholds
import Time

/// Whose capacity is looked for, and where what is found is kept.
struct SearchPlace {
    let plan: LoadPlan
    let profileFolder: URL
    let results: URL
    let labels: [String: String]

    /// Results and journals of the profile's runs.
    var folder: URL { ResultStore(folder: results).profileFolder(plan.name) }
}

/// Carries out a search: run by run, each with its own result, until it is done.
struct SearchConduct {
    private let setup: SearchSetup
    private let place: SearchPlace
    private let output: RunOutput
    private var file: SearchFile
    private var ledger: CapacityLedger
    var writesReport = true

    /// - Parameters:
    ///   - setup: What is asked.
    ///   - place: Of what, and where what is found is kept.
    ///   - output: Where it is told.
    ///   - anew: Whether a search that could go on is left alone.
    /// - Throws: `CommandFailure` where the folder of results cannot be used.
    init(_ setup: SearchSetup, _ place: SearchPlace, output: RunOutput, anew: Bool) throws {
        self.setup = setup
        self.place = place
        self.output = output
        var description = SearchDescription(
            id: "",
            profileName: place.plan.name,
            profileDigest: "sha256:\(place.plan.digest)",
            seed: place.plan.seed,
            labels: place.labels,
            target: RunTarget.name(of: place.plan),
            host: .ofThisMachine(sharedWithTarget: place.plan.target.isEmbedded),
            startedAtMicroseconds: MonotonicClock.wallMicroseconds()
        )
        description.id = UTCText.compact(microseconds: description.startedAtMicroseconds)
        let new = CapacityDocument(asked: setup.question, search: description)
        (file, ledger) = try SearchFile.open(in: place.folder, for: new, anew: anew)
    }

    /// Searches to the end.
    ///
    /// - Returns: What was found; it is in its file.
    /// - Throws: `CommandFailure` where a run could not be made.
    mutating func run() async throws -> CapacityDocument {
        let requests = RunRequests()
        let interruption = Interruption(requests)
        defer { withExtendedLifetime(interruption) {} }
        tellBeginning()
        while true {
            guard case .run(let kind, let sizes) = ledger.next else { break }
            let timetable = setup.searched.timetable(sizes)
            let run = setup.searched.run(timetable, value: value(sizes))
            guard hasTime(for: run) else {
                ledger.end(.ended, reason: "the time is used up (--for)")
                break
            }
            if !ledger.document.runs.isEmpty { await rest(requests) }
            guard requests.end == nil else { break }
            tellRun(kind, sizes, run)
            let started = MonotonicClock.now()
            let result = try await perform(run, kind, sizes, timetable, requests)
            let seconds = Double(MonotonicClock.now() &- started) / 1e9
            ledger.add(result, seconds: seconds)
            if requests.end != nil { break }
            if result.breaks.isEmpty {
                ledger.end(.ended, reason: "a run had no break that could be judged")
                break
            }
            try file.write(ledger.document)
            output.note(ledger.document.answer.text)
        }
        if requests.end != nil {
            ledger.end(.interrupted, reason: "interrupted")
        } else if ledger.document.state == .running {
            ledger.end(.ended)
        }
        try file.write(ledger.document)
        finish()
        return ledger.document
    }

    /// Of the quantity, where that is none of viewers.
    private func value(_ sizes: [Double]) -> Double? { setup.question.quantity == .viewers ? nil : sizes.first }

    private func hasTime(for run: LoadPlan) -> Bool {
        let needed = Double(setup.question.restMilliseconds) / 1_000 + run.duration / .seconds(1)
        return ledger.document.search.spentSeconds + needed <= setup.question.maximumSeconds
    }

    private func rest(_ requests: RunRequests) async {
        let end = MonotonicClock.now().later(by: .milliseconds(setup.question.restMilliseconds))
        while requests.end == nil, MonotonicClock.now() < end {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func perform(
        _ run: LoadPlan,
        _ kind: CapacityRun.Kind,
        _ sizes: [Double],
        _ timetable: RunTimetable,
        _ requests: RunRequests
    ) async throws -> CapacityRunResult {
        let output = self.output
        let watch = CapacityWatch(
            rule: setup.rule,
            timetable: timetable,
            timing: setup.searched.timing(of: run),
            endsAfterTwoMissed: kind == .escalation,
            requests: requests
        ) { output.note($0.line) }
        var session = RunSession(
            plan: run,
            profileFolder: place.profileFolder,
            labels: place.labels.merging([RunLabels.capacity: ledger.document.search.id]) { $1 },
            store: ResultStore(folder: file.folder),
            output: output.ofPart()
        )
        session.sinks = [watch]
        session.requests = requests
        session.tellsBill = false
        session.writesReport = writesReport
        let finished = try await session.finish()
        requests.goOn()
        if finished.exit == .ownDefect {
            throw CommandFailure(
                .ownDefect,
                "a run of the search was invalid: \(finished.document.verdict.reasons.joined(separator: "; "))"
            )
        }
        let description = finished.document.run
        return CapacityRunResult(
            kind: CapacityRunResult.Kind(rawValue: kind.rawValue) ?? .search,
            startedAtMicroseconds: description.startedAtMicroseconds,
            endedAtMicroseconds: description.endedAtMicroseconds,
            sizes: sizes,
            result: file.relativePath(of: finished.file),
            endedBy: finished.endedBy,
            breaks: timetable.withLost(
                watch.breaks,
                start: description.startedAtMicroseconds,
                end: description.endedAtMicroseconds,
                grace: run.breaks.grace,
                abortedBy: description.abortedBy
            )
        )
    }
}

// MARK: What is said

extension SearchConduct {
    private func tellBeginning() {
        guard output.showsProgress else { return }
        let document = ledger.document
        if document.runs.isEmpty {
            output.note(SearchForecast(setup, place).text)
        } else {
            let runs = TextLayout.counted(document.runs.count, "run")
            output.note("Going on with the search of \(document.search.id), after \(runs). \(document.answer.text)")
        }
    }

    private func tellRun(_ kind: CapacityRun.Kind, _ sizes: [Double], _ run: LoadPlan) {
        let number = ledger.document.runs.count + 1
        let quantity = setup.question.quantity
        let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
        let range = least == most ? quantity.number(most) : "\(quantity.number(least)) to \(quantity.number(most))"
        output.note(
            "Run \(number) of at most \(setup.question.maximumRuns) (\(kind.rawValue)): \(TextLayout.counted(sizes.count, "break")), "
                + "\(range) \(quantity.unit), \(run.duration.text) at most."
        )
    }

    private func finish() {
        let document = ledger.document
        let page = writesReport ? ResultPage.write(of: document, beside: file.url, output) : nil
        let places = ["Result: \(file.url.relativePath)"] + (page.map { ["Report: \($0.relativePath)"] } ?? [])
        output.summary(file: file.url) { width, color in
            CapacityText(of: document, width: width, colour: color).render() + "\n"
                + places.joined(separator: "\n") + "\n"
        }
    }
}

extension JudgedBreak {
    /// What became of it, as it is told while a search goes on.
    fileprivate var line: String {
        let share = onTimePercent.map { " (\(MetricText.percent($0)) on time)" } ?? ""
        let why = outcome == .held ? "" : ": " + (outcome == .censored ? limits : broken).joined(separator: "; ")
        return "  \(planned) viewers: \(outcome.rawValue)\(share)\(why)"
    }
}
