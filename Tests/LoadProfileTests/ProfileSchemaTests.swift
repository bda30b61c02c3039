import Profile
import TestSupport
import Testing

@Suite struct ProfileSchemaTests {
    /// Editors read the file that this writes.
    @Test func theShippedSchemaIsThatOfTheFields() throws {
        try GoldenFile.expect(LoadPlan.schemaText, at: "Profiles/profile.schema.json")
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
            for path in sorted([*folder.glob("*.yaml"), *folder.glob("targets/*.yaml"), *folder.glob("cookbook/*.yaml")]):
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
