import Foundation
import Rehearsal
import Results
import Values

extension CapacityDocument {
    /// Capacity result in a file; nil for any other file.
    ///
    /// A damaged result, or one of another version, is an error.
    static func stored(in path: String) throws -> CapacityDocument? {
        guard let json = try? ResultFile.contents(of: path), isNamed(in: json) else { return nil }
        do {
            return try CapacityDocument(json: json)
        } catch {
            throw CommandFailure(.badInput, "\(path): \(words(for: error, in: json))")
        }
    }

    /// Message for an error in a capacity result.
    static func words(for error: any Error, in json: Data) -> String {
        switch error {
        case let reading as ReadingError: "\(reading)"
        case let decoding as DecodingError: "a damaged capacity result: \(decoding.problem(in: json))"
        default: "cannot be read: \((error as NSError).localizedDescription)"
        }
    }
}
