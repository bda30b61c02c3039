import AdServing
import HLS
import Profile
import Rules
import Transport
import Viewer

struct BreakReader {
    let checks: CheckList

    /// `mediaIDs` are those of an ad segment.
    func answer(
        _ examination: borrowing Examination,
        of subject: AuditSubject,
        _ mediaIDs: SegmentMediaIDs?
    ) -> BreakAnswer.Content {
        let role = examination.role
        guard examination.answer.isSuccess else {
            examination.check(.nothing, of: subject, checks)
            return role.isRepeat ? .unread : .failed(Self.failure(examination, of: subject))
        }
        guard role.isRepeat || !Self.isOverdue(examination) else {
            examination.check(.nothing, of: subject, checks)
            return .failed(.deadline)
        }
        switch role {
        case .podManifest where subject.facts.isOwn, .podPlaylist where subject.facts.isOwn:
            return pod(examination, subject)
        case .podRepeat, .podRepeatPlaylist: return repeated(examination, subject)
        case .podSegment:
            examination.check(.segment, of: subject, checks)
            return .segment(mediaIDs)
        case .key: return .segment(nil)
        case .assetList: return list(examination, subject)
        default: return asset(examination, subject)
        }
    }

    private func pod(_ examination: borrowing Examination, _ subject: AuditSubject) -> BreakAnswer.Content {
        let url = examination.answer.url
        do {
            let playlist = try Playlist.parse(examination.answer.body)
            examination.check(.pod(playlist), of: subject, checks)
            switch playlist {
            case .media(let media): return .media(LoadedPod(media, url: url, account: examination.context.account))
            case .multivariant(let multivariant):
                guard examination.role == .podManifest else { break }
                return .multivariant(SharedMultivariant(multivariant, url: url))
            }
        } catch {
            examination.check(.noPlaylist(error), of: subject, checks)
        }
        return .failed(BreakLoadFailure(.notAPlaylist, nil))
    }

    /// Compared and not played.
    private func repeated(_ examination: borrowing Examination, _ subject: AuditSubject) -> BreakAnswer.Content {
        let playlist = try? Playlist.parse(examination.answer.body)
        examination.check(.repeated(playlist), of: subject, checks)
        guard examination.role == .podRepeat, case .multivariant(let multivariant) = playlist else { return .unread }
        return .multivariant(SharedMultivariant(multivariant, url: examination.answer.url))
    }

    private func list(_ examination: borrowing Examination, _ subject: AuditSubject) -> BreakAnswer.Content {
        do {
            var list = try AssetList(parsing: examination.answer.body)
            for index in list.assets.indices {
                list.assets[index].uri = AssetList.resolved(list.assets[index], against: examination.answer.url)
            }
            examination.viewer.record.listMemory = examination.memory(ofTimesBody: 3)
            examination.check(.list(list), of: subject, checks)
            return .list(list)
        } catch {
            examination.check(.noList(error), of: subject, checks)
            return .failed(BreakLoadFailure(.assetListMalformed, nil))
        }
    }

    private func asset(_ examination: borrowing Examination, _ subject: AuditSubject) -> BreakAnswer.Content {
        do {
            let content = try checks.assets.content(examination.answer.body, url: examination.answer.url)
            examination.check(.asset(content), of: subject, checks)
            switch content {
            case .multivariant(let playlist): return .multivariant(playlist)
            case .media(let pod): return .media(pod)
            }
        } catch {
            examination.check(.noPlaylist(error), of: subject, checks)
            return .failed(BreakLoadFailure(.assetFailed, nil))
        }
    }

    private static func rule(_ examination: borrowing Examination) -> RequestRule? {
        let personas = examination.context.plan.personas
        return personas[Int(examination.viewer.facts.personaIndex)].persona.requests.rule(for: examination.role)
    }

    private static func isOverdue(_ examination: borrowing Examination) -> Bool {
        let (firstByteAt, sentAt) = (examination.answer.firstByteAt, examination.answer.sentAt)
        guard firstByteAt != .zero, sentAt != .zero, let limit = rule(examination)?.firstByte else { return false }
        return firstByteAt &- sentAt > limit.nanosecondsHeld
    }

    /// Distinguishes passed deadlines of the player from errors.
    private static func failure(_ examination: borrowing Examination, of subject: AuditSubject) -> BreakLoadFailure {
        let ordinary = reason(of: examination.role, isOwn: subject.facts.isOwn)
        let rule = rule(examination)
        let limit: Duration?
        switch examination.answer.failure {
        case .unauthorisedHost: return BreakLoadFailure(.unauthorised, nil)
        case .connectTimeout, .proxyTimeout: limit = rule?.connect
        case .firstByteTimeout: limit = rule?.firstByte
        case .totalTimeout: limit = rule?.total
        default: limit = nil
        }
        return BreakLoadFailure(limit == nil ? ordinary : .deadlineMissed, LoadFailure(examination.answer))
    }

    private static func reason(of role: ViewerRole, isOwn: Bool) -> BreakFailure {
        switch role {
        case .podManifest: .podManifestFailed
        case .assetList: .assetListFailed
        case .podPlaylist where isOwn: .podPlaylistFailed
        case .podSegment where isOwn, .key where isOwn: .segmentFailed
        default: .assetFailed
        }
    }
}

extension ViewerRole {
    fileprivate var isRepeat: Bool { self == .podRepeat || self == .podRepeatPlaylist }
}
