import Foundation
import LoadProfile
import Players
import TestSupport
import Testing

@Suite struct ProfileSchemaTests {
    private static let path = ProfileFiles.folder + "/profile.schema.json"

    /// Every property of the schema by dotted path.
    private func properties() throws -> [String: [String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.path))
        let schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        var found: [String: [String: Any]] = [:]
        func walk(_ schema: [String: Any], path: String) {
            for alternative in schema["oneOf"] as? [[String: Any]] ?? [] { walk(alternative, path: path) }
            if let items = schema["items"] as? [String: Any] { walk(items, path: path + "[]") }
            for (name, property) in schema["properties"] as? [String: [String: Any]] ?? [:] {
                var merged = property
                if let reference = property["$ref"] as? String {
                    merged.merge(definitions[String(reference.dropFirst("#/$defs/".count))] ?? [:]) { own, _ in own }
                }
                let propertyPath = path.isEmpty ? name : "\(path).\(name)"
                found[propertyPath] = merged
                walk(merged, path: propertyPath)
            }
        }
        walk(schema, path: "")
        return found
    }

    /// Mappings that stand in lists, and no field.
    private let items: Set<String> = [
        "", "audience.personas[]", "audience.traits[]", "audience.curve.points[]", "breaks.source.list[]",
    ]

    @Test func schemaAndReaderKnowTheSameFields() throws {
        let known = Set(Samples.reader.knownFields().keys).subtracting(items)
        #expect(known.count > 80)
        #expect(try Set(properties().keys) == known)
    }

    @Test func schemaAndReaderAgreeOnTheKindsOfValues() throws {
        let properties = try properties()
        for (path, shape) in Samples.reader.knownFields() where !path.isEmpty && !path.hasSuffix("[]") {
            let property = try #require(properties[path])
            let type = property["type"] as? String
            switch shape {
            case .choice(let names): #expect(property["enum"] as? [String] == names, "\(path)")
            case .boolean: #expect(type == "boolean", "\(path)")
            case .integer: #expect(type == "integer", "\(path)")
            case .list: #expect(type == "array", "\(path)")
            case .mapping: #expect(type == "object" || property["oneOf"] != nil, "\(path)")
            case .number: #expect(type == "number", "\(path)")
            case .share: #expect(property["$ref"] as? String == "#/$defs/share", "\(path)")
            case .size: #expect(property["$ref"] as? String == "#/$defs/size", "\(path)")
            case .duration:
                let isDuration = property["$ref"] as? String == "#/$defs/duration" || property["enum"] != nil
                #expect(isDuration, "\(path)")
            case .text: #expect(type == "string" || property["$ref"] as? String == "#/$defs/text", "\(path)")
            }
            #expect(property["description"] is String, "\(path) is not described")
        }
    }

    /// A Python with jsonschema and PyYAML: a validator and a YAML reader that were not written here.
    private func python(_ script: String) throws -> (status: Int32, output: String) {
        let python = try InstalledProgram.python().path
        let run = try ProgramOutput.of(python, ["-c", script, ProfileFiles.folder], mergesErrors: true)
        return (run.status, run.text)
    }

    @Test func everyShippedProfileSatisfiesTheSchema() throws {
        let script = """
            import json, pathlib, sys
            import yaml
            from jsonschema import Draft202012Validator
            def mappings(node):
                # Every mapping whose keys are podswarm's own.
                if isinstance(node, dict):
                    yield node
                    for key, value in node.items():
                        if key not in ("adTagParameters", "headers", "adsParameters", "parameters", "values", "offsets"):
                            yield from mappings(value)
                elif isinstance(node, list):
                    for value in node:
                        yield from mappings(value)

            folder = pathlib.Path(sys.argv[1])
            schema = json.loads((folder / "profile.schema.json").read_text())
            Draft202012Validator.check_schema(schema)
            validator = Draft202012Validator(schema)
            for path in sorted([*folder.glob("*.yaml"), *folder.glob("targets/*.yaml")]):
                profile = yaml.safe_load(path.read_text())
                for error in validator.iter_errors(profile):
                    print(path.name, error.json_path, error.message)
                for mapping in list(mappings(profile)):
                    mapping["unknownField"] = 1
                    if validator.is_valid(profile):
                        print(path.name, "accepts an unknown field among", list(mapping))
                    del mapping["unknownField"]
            print("done")
            """
        let (status, output) = try python(script)
        #expect(output == "done\n")
        #expect(status == 0)
    }
}
