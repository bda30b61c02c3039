import Viewer

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
