import Foundation

/// A folder of one test's own.
struct TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("podswarm-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Writes a file; nil writes none.
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file's name.
    /// - Returns: The file's path.
    /// - Throws: What Foundation says.
    func write(_ bytes: [UInt8]?, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        if let bytes {
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        }
        return file
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
