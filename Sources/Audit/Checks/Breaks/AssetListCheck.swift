import AdServing
import Rules
import Transport
import Viewer

struct AssetListCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        switch content.content {
        case .list(let list):
            Self.inspectPings(list, slot: subject.slot, examination)
            Self.inspect(list, of: subject, examination)
        case .noList(let error):
            let lacksDuration = error == .badDuration
            examination.found(
                lacksDuration ? .assetDurationMissing : .assetListInvalid,
                expected: lacksDuration ? Self.durations : "a JSON asset list",
                observed: error.rawValue,
                breakSlot: subject.slot
            )
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist: break
        }
    }

    private static let durations = "a DURATION that is a number of seconds for each asset"

    private static func inspect(_ list: AssetList, of subject: AuditSubject, _ examination: borrowing Examination) {
        if list.hasUnclearDuration {
            examination.found(
                .assetDurationMissing,
                expected: durations,
                observed: "a DURATION that is text which goes on after a number",
                breakSlot: subject.slot
            )
        }
        // A viewer that joins at the end of an interstitial has no asset left to play.
        if list.assets.isEmpty, !subject.facts.isNearlyOver {
            examination.found(
                .assetListEmpty,
                expected: "at least one asset",
                observed: "ASSETS is empty",
                breakSlot: subject.slot
            )
        }
        if !list.assets.isEmpty, list.assets.allSatisfy({ examination.context.plan.slate.isSlate($0.uri) }) {
            examination.found(
                .slateOnly,
                expected: "at least one ad",
                observed: "\(list.assets.count) assets, all of slate",
                breakSlot: subject.slot
            )
        }
    }

    private static func inspectPings(_ list: AssetList, slot: Int32, _ examination: borrowing Examination) {
        guard let event = list.doubledEvent else { return }
        examination.found(
            .pingDoubled,
            expected: DoubledPing.expected,
            observed: DoubledPing.observed(event),
            breakSlot: slot
        )
    }
}

/// Asset lists and assets that name another viewer's session; pods are checked when they are compared.
struct ForeignContentCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        switch content.content {
        case .list, .asset: break
        case .noPlaylist where !subject.facts.isOwn: break
        case .nothing, .segment, .pod, .repeated, .noPlaylist, .noList: return
        }
        examination.lookForForeignSession(in: examination.answer.body, breakSlot: subject.slot)
    }
}
