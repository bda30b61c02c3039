import Time
import Transport

@testable import Audience
@testable import Swarm

/// A live channel and its ad server in a few lines, before viewers in virtual time.
final class ScriptedTarget: VirtualTarget {
    /// One request as it came.
    struct Asked: Equatable {
        var at: WallTime
        var role: ViewerRole
        var viewer: Int
        var url: String
    }

    private(set) var asked: [Asked] = []
    private(set) var closed = 0
    private(set) var connections: Set<ObjectIdentifier> = []
    private var kept: [VirtualConnection] = []
    /// How long the answer to a request is held, by its place among all.
    var hold: (Int) -> Duration = { _ in .zero }

    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer {
        if connections.insert(ObjectIdentifier(request.connection)).inserted { kept.append(request.connection) }
        let url = request.request.url
        asked.append(Asked(at: now, role: request.role, viewer: request.viewer, url: url))
        return ScriptedAnswer(
            body: Self.body(request.role, viewer: request.viewer, at: now),
            url: url,
            releasedAt: now + hold(asked.count)
        )
    }

    func closed(_ connection: VirtualConnection) { closed += 1 }

    private static func body(_ role: ViewerRole, viewer: Int, at now: WallTime) -> String {
        switch role {
        case .registration:
            let number = String(String(1_000_000_000_000 + viewer).dropFirst())
            return AnswerBody.registration().replacing("000000000000:", with: "\(number):")
        case .multivariant: return AnswerBody.oneVariant
        case .playlist: return AnswerBody.media(Int(now.microseconds / 2_000_000) - 5)
        case .podManifest, .podRepeat: return AnswerBody.pod([10])
        default: return role == .metadata ? "{}" : ""
        }
    }
}

/// An answer that a test makes up.
struct ScriptedAnswer: VirtualAnswer {
    var status = 200
    var body: String
    let url: String
    let releasedAt: WallTime
    var redirects: Int { 0 }
    var headers: [String: String] { [:] }

    func readBody(_ take: (UnsafeRawBufferPointer) -> Void) { Array(body.utf8).withUnsafeBytes(take) }
}
