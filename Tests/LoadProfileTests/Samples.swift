import Profile

enum Samples {
    /// The least a profile can say.
    static let minimal = profile()

    /// A profile of four lines, each of which may be another, and `rest` after them.
    static func profile(
        duration: String = "60s",
        target: String = "embedded",
        audience: String = "{viewers: 10}",
        breaks: String = "{source: {every: 20s}}",
        and rest: String = ""
    ) -> String {
        """
        duration: \(duration)
        target: \(target)
        audience: \(audience)
        breaks: \(breaks)

        """ + (rest.isEmpty ? "" : rest + "\n")
    }

    /// A target on this machine that serves pods, with more of its fields.
    static func podServing(
        channel: String = "http://127.0.0.1/live.m3u8",
        adServer: String = "http://127.0.0.1",
        _ more: String = ""
    ) -> String {
        "{podServing: {contentURL: '\(channel)', adServer: '\(adServer)', networkCode: '1', customAssetKey: a, \(more)}}"
    }

    /// Two variables, and three files in the folder "Profiles" beside the shipped channel plans; nothing of this machine.
    static let surroundings = ProfileSurroundings(
        environmentVariable: { ["PODSWARM_KEY": "hunter2hunter2", "EMPTY": "", "BROKEN": "hunter2\n"][$0] },
        hasFile: { path in
            let faulty = ["faulty", "faulty-low-latency"]
            let own = ["interstitials", "low-latency", "targeted"]
            let channels = (own + faulty).map { "/Profiles/channels/\($0).yaml" }
            let shipped = channels + (faulty + ["outage"]).map { "/Profiles/faults/\($0).yaml" }
            return ["Profiles/ca.pem", "Profiles/client.pem", "Profiles/client.key"].contains(path)
                || shipped.contains { path.hasSuffix($0) } || included[path] != nil
        },
        contents: { path, _ in included[path].map { Array($0.utf8) } }
    )

    private static let included = [
        "Profiles/included/base.yaml": profile(audience: "{viewers: 10, ramp: 5s}"),
        "Profiles/included/mistaken.yaml": "seed: x\n",
        "Profiles/included/itself.yaml": "include: itself.yaml\n",
    ]

    static let reader = ProfileReader(surroundings: surroundings)

    /// The plan of a text in the file `Profiles/evening.yaml`.
    static func plan(_ yaml: String = minimal, set overrides: String...) throws -> LoadPlan {
        let parsed = try overrides.map { try Override(parsing: $0) }
        return try reader.read(yaml: yaml, path: "Profiles/evening.yaml", overrides: parsed)
    }

    /// What the reader says of a text, one line per problem; empty if it accepts it.
    static func problems(_ yaml: String, overrides: [String] = [], by reader: ProfileReader = reader) -> [String] {
        do {
            var parsed: [Override] = []
            for text in overrides { parsed.append(try Override(parsing: text)) }
            _ = try reader.read(yaml: yaml, path: "Profiles/bad.yaml", overrides: parsed)
            return []
        } catch { return error.description.split(separator: "\n").map(String.init) }
    }
}

extension LoadPlan {
    struct OtherTarget: Error {}

    var embedded: EmbeddedOriginPlan {
        get throws {
            guard case .embedded(let origin) = target else { throw OtherTarget() }
            return origin
        }
    }

    var podServing: PodServingPlan {
        get throws {
            guard case .podServing(let target) = target else { throw OtherTarget() }
            return target
        }
    }
}
