package import Foundation
package import Profile
package import Report
import Results
import Rules
package import Swarm
package import Values
import Viewer

/// The target of a plan's bill: the plan's embedded origin, or the one that replaces its target.
package struct BilledTarget {
    /// Assumed time of each answer: on this machine, or over a network.
    package static func answerTime(of plan: LoadPlan) -> Duration {
        plan.target.isEmbedded ? OriginLayout.answerTime : .milliseconds(50)
    }

    private var plan: LoadPlan
    private let profileFolder: URL
    private let channel: AssumedChannel
    private var assumptions: [String]

    /// `channel` describes a target other than the embedded origin; nil: as the profile says.
    package init(_ plan: LoadPlan, profileFolder: URL, channel: AssumedChannel? = nil) {
        (self.plan, self.profileFolder) = (plan, profileFolder)
        self.channel = channel ?? AssumedChannel(plan.channel)
        assumptions = plan.target.isEmbedded ? [] : self.channel.assumptions(for: plan)
        if case .embedded(var embedded) = plan.target, embedded.faultPlanPath != nil {
            assumptions.append("What the planned faults of the profile change is left out.")
            embedded.faultPlanPath = nil
            self.plan.target = .embedded(embedded)
        }
        if plan.breaks.source.triggerPlan != nil {
            assumptions.append("Breaks that are called for while the run goes are not in it (--breaks-at).")
        }
    }

    /// The bill of a run whose first viewer joins at `start`; throws `CommandFailure` for an invalid configuration of the
    /// origin.
    package func bill(startingAt start: WallTime) async throws -> BillDocument {
        document(try await counted(startingAt: start), start: start)
    }

    package func counted(startingAt start: WallTime) async throws -> RunBill {
        let network = VirtualNetwork(latency: Self.answerTime(of: plan))
        let origin = {
            try VirtualOrigin(plan, profileFolder: profileFolder, channel: channel, from: start, over: network)
        }
        do {
            return try await BilledRun(try origin().plan).bill(before: origin)
        } catch let defect as BilledRun.Defect {
            throw CommandFailure(.ownDefect, "the bill: \(defect.reason)")
        } catch {
            throw CommandFailure(.badInput, "the bill: \(error)")
        }
    }

    package func document(_ bill: RunBill, start: WallTime) -> BillDocument {
        var lines: [String: BillDocument.Line] = [:]
        for (kind, line) in bill.lines where !isUnknown(kind) { lines[kind.name] = self.line(line) }
        var total = line(bill.total)
        for (kind, line) in bill.lines where isUnknown(kind) {
            total.count -= line.count
            total.estimatedBodyBytes = total.estimatedBodyBytes.map { $0 - line.bodyBytes }
        }
        return BillDocument(
            profile: plan.name,
            profileDigest: plan.digest,
            target: plan.target.kindName,
            startsAtMicroseconds: start.microseconds,
            durationMilliseconds: plan.duration.nanosecondsHeld / 1_000_000,
            viewers: BillDocument.Viewers(
                planned: plan.audience.viewers,
                joined: bill.joined,
                replaced: bill.replaced,
                counted: bill.counted
            ),
            audienceCurve: PlannedAudience(bill.course, of: plan),
            breaks: BillDocument.Breaks(count: bill.breaks, due: bill.breaksDue),
            renewals: bill.renewals,
            requests: lines,
            total: total,
            withheld: BillDocument.Withheld(
                pings: bill.pingsWithheld,
                beacons: bill.beaconsWithheld,
                adSegments: bill.adSegmentsWithheld
            ),
            assumptions: assumptions + startAssumptions + countAssumptions(bill)
        )
    }

    private func line(_ line: RunBill.Line) -> BillDocument.Line {
        BillDocument.Line(
            count: line.count,
            samplingError: line.error > 0 ? line.error : nil,
            bodyBytes: plan.target.isEmbedded ? line.bodyBytes : nil,
            estimatedBodyBytes: plan.target.isEmbedded ? nil : line.bodyBytes,
            peakPer100Milliseconds: line.peak,
            peakAtMilliseconds: line.peakAtMilliseconds
        )
    }

    /// Kinds that only the replacing origin needs: templates without a session have no registration.
    private func isUnknown(_ kind: RequestKind) -> Bool {
        guard case .urlTemplates(let target) = plan.target, target.session == nil else { return false }
        return kind == .registration
    }

    /// A schedule by the wall clock falls into a run more or less often.
    private var startAssumptions: [String] {
        let steps = plan.breaks.source.each.compactMap { source -> Int64? in
            switch source {
            case .every(let every, _): max(every.nanosecondsHeld, 1)
            case .guideMinute(let repeats) where repeats: Duration.seconds(60).nanosecondsHeld
            default: nil
            }
        }
        let length = plan.duration.nanosecondsHeld
        return steps.filter { !length.isMultiple(of: $0) }.map { step in
            let breaks = steps.count == 1 ? "breaks" : "breaks of every \(Duration.nanoseconds(step))"
            let least = length / step
            return
                "A run of this length meets \(least) or \(least + 1) \(breaks), by the moment at which it starts (--at)."
        }
    }

    private func countAssumptions(_ bill: RunBill) -> [String] {
        guard bill.counted < bill.planned else { return [] }
        let counted = TextLayout.counted(bill.counted, "viewer")
        return [
            "\(counted) of \(TextLayout.grouped(bill.planned)) were counted, and stand for the others of their personas: the sums "
                + "may be off by what is written behind ±, or in one case of twenty by more. Peaks of what viewers ask each at a "
                + "time of its own are too high."
        ]
    }
}
