import Values

extension LoadPlan {
    /// JSON Schema of profiles, for editors: `Profiles/profile.schema.json`.
    package static var schemaText: String {
        func pattern(ofUnits units: [String]) -> SchemaNode {
            .pattern("^(?=.)" + units.map { "([0-9]+(\\.[0-9]+)?\($0))?" }.joined() + "$")
        }
        let number = SchemaNode.type("number").with("minimum", .number("0")).with("maximum", .number("1"))
        let definitions: [(name: String, value: SchemaNode)] = [
            ("text", .members([("type", .list(["string", "number", "boolean"].map(SchemaNode.text)))])),
            ("duration", pattern(ofUnits: ["h", "m", "s", "ms", "us"])),
            ("share", .oneOf([number, .pattern("^[0-9]+(\\.[0-9]+)?%?$")])),
            ("size", .pattern("^[0-9][0-9_]*(B|KB|KiB|MB|MiB|GB|GiB)$")), ("retryRule", RetryRule.schema()),
            ("requestRule", RequestRule.schema()),
        ]
        let head = SchemaNode.members([
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text("podswarm load profile")),
            (
                "description",
                .text(
                    "What a run of podswarm does and how it is judged. Durations carry units (500ms, 10s, 1m30s), shares "
                        + "are 5% or 0.05, sizes 64MiB."
                )
            ),
        ])
        guard case .members(let own) = head, case .members(let fields) = schema() else { return "" }
        return SchemaNode.members(own + fields).with("$defs", .members(definitions)).json() + "\n"
    }
}
