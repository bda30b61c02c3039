import Profile
import Testing

@testable import Audit
@testable import Swarm
@testable import Viewer

extension ScriptedCrowd {
    /// Viewers that watch, before a profile with further sections.
    static func comparing(_ more: String = "", audience: String = "", viewers: Int = 1) throws -> ScriptedCrowd {
        let people = "audience: {viewers: 2, ramp: 0s\(audience.isEmpty ? "" : ", ")\(audience)}"
        let profile = """
            name: compared
            description: Some viewers of a target that is there.
            duration: 60s
            seed: 1
            target:
              podServing:
                contentURL: http://127.0.0.1:8080/live/multivariant.m3u8
                adServer: http://127.0.0.1:8080
                authorisedHosts: ["127.0.0.1"]
                networkCode: "1"
                customAssetKey: key
            breaks:
              source: {every: 20s}
              podDuration: 10s
            """
        let plan = try ProfileReader().read(yaml: "\(profile)\n\(people)\n\(more)", path: "compared.yaml")
        let crowd = ScriptedCrowd(plan, viewers: viewers)
        crowd.join()
        // Metadata are polled each second.
        crowd.answerAll { request in
            let body = AnswerBody.ordinary(request, version: 1)
            return Reply(body: body.replacing("frequency\":10", with: "frequency\":1"))
        }
        return crowd
    }

    func give(_ pod: (Int) -> String, headers: [String: String] = [:]) {
        for index in crowd.viewers.indices {
            fire(.breakFetch, of: index)
            answer(.podManifest, pod(index), of: index, headers: headers)
        }
    }

    func cohort(of index: Int) -> String {
        let facts = slot(index).machine
        return plan.cohort(ofViewer: facts.number, persona: facts.personaIndex)
    }
}
