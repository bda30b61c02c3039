import AdServing
import HLS
import LoadProfile
import Testing

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

extension ScriptedCrowd {
    /// Has a check look at what a request of the first viewer's break would have been answered with.
    func examine(
        _ content: GivenContent.Content,
        by check: any BreakCheck,
        role: ViewerRole = .assetList,
        url: String,
        viewer index: Int = 0,
        _ subject: AuditSubject
    ) {
        let viewer = crowd.viewers[index]
        let answer = Answer(
            role,
            status: 200,
            body: UnsafeRawBufferPointer(start: nil, count: 0),
            url: url,
            plannedAt: start,
            sentAt: start,
            firstByteAt: start,
            doneAt: start
        )
        let audited = AuditedViewer(
            facts: viewer.machine.facts,
            record: viewer.record,
            context: crowd.auditor.context
        )
        let examination = Examination(answer, of: audited, breakSlot: subject.slot)
        check.examine(GivenContent(content: content, subject: subject), examination)
    }
}

extension ViewerSlot {
    /// The viewer's own next break.
    var planned: PlannedBreak? { record.current?.planned }

    /// The pod identifier as it stands in the path.
    var podIdentifier: String { planned?.pathComponent ?? "" }

    /// The measurement's number for the viewer's next break.
    var breakSlot: Int32 { record.current?.slot ?? -1 }
}
