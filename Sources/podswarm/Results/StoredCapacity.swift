import CapacityResult
import Console
import Foundation
import JSON
import RunResult

extension CapacityDocument {
    /// The capacity result in a file.
    ///
    /// - Parameter path: As on the command line.
    /// - Returns: Nil where the file is none, whatever else it may be.
    /// - Throws: `CommandFailure` for a capacity result that is damaged or of another version.
    static func stored(in path: String) throws -> CapacityDocument? {
        guard let json = try? ResultFile.contents(of: path), isNamed(in: json) else { return nil }
        do {
            return try CapacityDocument(json: json)
        } catch {
            throw CommandFailure(.badInput, "\(path): \(words(for: error, in: json))")
        }
    }

    /// What is wrong with bytes that call themselves a capacity result.
    static func words(for error: any Error, in json: Data) -> String {
        switch error {
        case let reading as ReadingError: "\(reading)"
        case let decoding as DecodingError: "a damaged capacity result: \(decoding.problem(in: json))"
        default: "cannot be read: \((error as NSError).localizedDescription)"
        }
    }
}
