import AdServing
import Rulebook
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Notes of each viewer of a crowd, by its number.
///
/// `@unchecked Sendable`: a scripted crowd has one task.
final class ViewerJournal: ViewerObserver, @unchecked Sendable {
    struct Scheduled {
        var scheduled: ScheduledBreak
        var identifier: PodIdentifier
        /// URL of the pod, once it was made out.
        var url: String?
    }

    struct Entries {
        fileprivate(set) var own: [ViewerNote] = []
        fileprivate(set) var ofChannel: [(String, ViewerNote)] = []
        fileprivate(set) var scheduled: [Scheduled] = []
        fileprivate(set) var isGone = false
        fileprivate(set) var reopensAt: Instant?
    }

    private(set) var entries: [Int: Entries] = [:]

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        for action in actions {
            switch action {
            case .breakScheduled(let planned):
                entries[number, default: .init()].scheduled.append(
                    Scheduled(scheduled: planned.scheduled, identifier: planned.identifier)
                )
            case .preparePod(let url):
                guard let last = entries[number]?.scheduled.indices.last else { continue }
                entries[number]?.scheduled[last].url = url
            case .note(let note, let planned): keep(note, of: planned, number)
            case .abandon(let instant): entries[number, default: .init()].reopensAt = instant
            case .gone: entries[number, default: .init()].isGone = true
            case .fetch, .poll, .schedule, .cancel, .warm: break
            }
        }
    }

    private func keep(_ note: ViewerNote, of planned: PlannedBreak?, _ number: Int) {
        switch note {
        case .adEvent: entries[number, default: .init()].own.append(note)
        default:
            let isDiscovery = if case .breakDiscovered = note { true } else { false }
            if let planned, isDiscovery || !planned.isOwn {
                entries[number, default: .init()].ofChannel.append((planned.scheduled.key, note))
            } else {
                entries[number, default: .init()].own.append(note)
            }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String) {}

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}
}

extension ViewerNote {
    static func breakOnTime(afterStart: Int64) -> ViewerNote { .breakOnTime(afterStart: afterStart, inHandAt: .zero) }

    static func breakLate(by lateness: Int64) -> ViewerNote { .breakLate(by: lateness, inHandAt: .zero) }

    /// The note of a break's punctuality without the moment.
    var withoutInstant: ViewerNote {
        switch self {
        case .breakOnTime(let afterStart, _): .breakOnTime(afterStart: afterStart)
        case .breakLate(let lateness, _): .breakLate(by: lateness)
        default: self
        }
    }

    var isOutcome: Bool {
        switch self {
        case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped: true
        default: false
        }
    }
}
