package import Foundation

/// A file that the command line names, or standard output for `-`.
package enum OutputPlace {
    package static let standardOutput = "-"

    /// Writes `text` to `path`; without a path nothing is rendered.
    package static func write(_ text: @autoclosure () throws -> String, to path: String?) throws(CommandFailure) {
        guard let path else { return }
        try write(Data(rendered(path, text).utf8), to: path)
    }

    package static func write(json: @autoclosure () throws -> Data, to path: String?) throws(CommandFailure) {
        guard let path else { return }
        let json = try rendered(path, json)
        guard path != standardOutput else { return StandardStream.output.write(json: json) }
        try write(json, to: path)
    }

    /// Writes the file whole or not at all.
    package static func write(_ data: Data, to path: String) throws(CommandFailure) {
        guard path != standardOutput else { return StandardStream.output.write(data) }
        let file = URL(fileURLWithPath: path)
        // A pipe or a device cannot be replaced by a file; it is written to.
        let kind = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
        let isFile = kind == nil || kind as? FileAttributeType == .typeRegular
        do {
            try data.write(to: file, options: isFile ? .atomic : [])
        } catch {
            throw CommandFailure(.badInput, "\(path): \(cause(of: error))")
        }
    }

    package static func rendered<Content>(
        _ name: String,
        _ content: () throws -> Content
    ) throws(CommandFailure) -> Content {
        do {
            return try content()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.ownDefect, "\(name): the output cannot be made: \(error)")
        }
    }

    /// For a full disk, Foundation says only that the operation could not be completed; the system names the cause.
    private static func cause(of error: any Error) -> String {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
    }
}
