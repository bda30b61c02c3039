import Rulebook
import Testing

@testable import Audience
@testable import Recording
@testable import Swarm
@testable import Viewer

/// What answers of every kind say of their own bodies, and beside it the same answers without a flaw.
@Suite struct AnswerFindingTests {
    /// What is found of an answer with flaws, to each kind of request that a viewer makes here.
    private func findings(_ flaws: AnswerFlaws, failure: TransportFailure? = nil) async throws -> [String: [String]] {
        try await ScriptedCrowd.onLoop { loop in
            var found: [String: [String]] = [:]
            for role in [ViewerRole.metadata, .podManifest, .playlist] {
                let probe = try SessionProbe(loop: loop)
                switch role {
                case .metadata: probe.pollMetadata()
                case .podManifest: probe.askForPod()
                default: #expect(probe.scripted.fire(.reload))
                }
                #expect(
                    probe.transport.answer(
                        role,
                        headers: ["content-length": "19", "content-encoding": "gzip"],
                        failure: failure,
                        body: probe.body(of: role),
                        flaws: flaws
                    )
                )
                found[role.kind.name] = probe.ofAnswers
            }
            return found
        }
    }

    private func everywhere(_ code: String) -> [String: [String]] {
        ["metadata": [code], "pod_manifest": [code], "playlist": [code]]
    }

    private func nowhere() -> [String: [String]] { ["metadata": [], "pod_manifest": [], "playlist": []] }

    @Test func contentCodingInvalid() async throws {
        let found = try await findings(.codingInvalid, failure: .truncated)
        #expect(found == everywhere("content_coding_invalid"))
        #expect(try await findings([], failure: .truncated) == nowhere(), "its own framing says that it is cut off")
        #expect(try await findings([]) == nowhere())
    }

    @Test func contentLengthInvalid() async throws {
        #expect(try await findings(.lengthInvalid) == everywhere("content_length_invalid"))
    }

    @Test func contentLengthWithTransferCoding() async throws {
        let found = try await findings(.lengthWithTransferCoding)
        #expect(found == everywhere("content_length_with_transfer_coding"))
    }

    @Test func partialContentUnasked() async throws {
        #expect(try await findings(.partialUnasked) == everywhere("partial_content_unasked"))
    }

    @Test func eachFlawIsAFindingOfItsOwnInEveryAnswerThatHasIt() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(loop: loop)
            for _ in 0..<3 {
                #expect(probe.scripted.fire(.reload))
                // The same playlist each time, which is read no more once it is known.
                probe.transport.answer(
                    .playlist,
                    body: probe.body(of: .playlist),
                    flaws: [.lengthInvalid, .lengthWithTransferCoding]
                )
            }
            #expect(probe.ofAnswers == ["content_length_invalid", "content_length_with_transfer_coding"])
            #expect(probe.count(.contentLengthInvalid) == 3)
            #expect(probe.count(.contentLengthWithTransferCoding) == 3)
        }
    }

    @Test func aRegistrationIsLookedAtToo() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests(), viewers: 1, loop: loop)
            let join = CrowdToken(index: 0, detail: CrowdToken.join)
            scripted.crowd.timerFired(token: join.rawValue, deadline: scripted.start)
            let body = SessionProbe.registration(validity: "8h")
            #expect(scripted.transport.answer(.registration, body: body, flaws: .lengthInvalid))
            let found = scripted.crowd.recorder.finish().findings.entries.keys.map(\.code)
            #expect(found == ["content_length_invalid"])
        }
    }
}

extension SessionProbe {
    /// Codes found so far of answers as such, sorted.
    fileprivate var ofAnswers: [String] {
        scripted.crowd.recorder.finish().findings.entries.keys.map(\.code)
            .filter { FindingCode.named($0)?.group == .answers }
            .sorted()
    }

    /// What is in order for a kind of request.
    fileprivate func body(of role: ViewerRole) -> String {
        switch role {
        case .metadata: "{}"
        case .podManifest: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.m4s\n#EXT-X-ENDLIST\n"
        default: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2,\n1.m4s\n"
        }
    }
}
