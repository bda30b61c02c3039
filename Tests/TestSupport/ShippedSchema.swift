package import Foundation

/// The JSON Schemas that are shipped, as Python's `jsonschema` reads them.
package enum ShippedSchema {
    private static let script = """
        import json, sys, jsonschema
        with open(sys.argv[1]) as file: document, schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
            print("/".join(map(str, error.absolute_path)) + ": " + error.message[:300])
        """

    /// A line for each mistake of a document against a schema; `change` is applied to the document before.
    package static func complaints(
        by schema: Data,
        about document: Data,
        _ change: (inout [String: Any]) -> Void = { _ in }
    ) throws -> String {
        guard var object = try JSONSerialization.jsonObject(with: document) as? [String: Any] else {
            return "the document is no object"
        }
        change(&object)
        let input = try JSONSerialization.data(withJSONObject: [object, JSONSerialization.jsonObject(with: schema)])
        return String(decoding: try InstalledProgram.python(script, input), as: UTF8.self)
    }
}
