import LoadProfile
import ProfileSyntax

/// Profiles and surroundings that the tests share.
enum Samples {
    /// The least a profile can say.
    static let minimal = """
        duration: 60s
        target: embedded
        audience: {viewers: 10}
        breaks: {source: {every: 20s}}

        """

    /// Two variables, and three files in the folder "Profiles" beside the shipped channel plans; nothing of this machine.
    static let surroundings = ProfileSurroundings(
        environmentVariable: { ["PODSWARM_KEY": "hunter2hunter2", "EMPTY": "", "BROKEN": "hunter2\n"][$0] },
        hasFile: { path in
            let faulty = ["faulty", "faulty-low-latency"]
            let own = ["interstitials", "low-latency", "targeted"]
            let channels = (own + faulty).map { "/Profiles/channels/\($0).yaml" }
            let shipped = channels + (faulty + ["outage"]).map { "/Profiles/faults/\($0).yaml" }
            return ["Profiles/ca.pem", "Profiles/client.pem", "Profiles/client.key"].contains(path)
                || shipped.contains { path.hasSuffix($0) }
        }
    )

    static let reader = ProfileReader(surroundings: surroundings)

    /// What the reader says of a text, one line per problem; empty if it accepts it.
    static func problems(_ yaml: String, overrides: [String] = []) -> [String] {
        do {
            var parsed: [Override] = []
            for text in overrides {
                parsed.append(try Override(parsing: text))
            }
            _ = try reader.read(yaml: yaml, path: "Profiles/bad.yaml", overrides: parsed)
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }
}
