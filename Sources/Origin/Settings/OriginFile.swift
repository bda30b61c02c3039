import Foundation

struct OriginFile {
    let setting: OriginConfigurationError.Setting
    let path: String

    func text() throws(OriginConfigurationError) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw mistake("no such file")
        }
        guard !isFolder.boolValue else { throw mistake("is a folder") }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw mistake("cannot be read: \(Self.words(for: error))")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw mistake("the text is not UTF-8") }
        return text
    }

    func write(_ text: String) throws(OriginConfigurationError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw mistake("cannot be written: \(Self.words(for: error))")
        }
    }

    private func mistake(_ message: String) -> OriginConfigurationError {
        OriginConfigurationError(mistakes: [.init(setting, file: path, message)])
    }

    /// The system's error message; Foundation's does not state the cause.
    private static func words(for error: any Error) -> String {
        let error = error as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        guard let cause, cause.domain == NSPOSIXErrorDomain, let number = Int32(exactly: cause.code) else {
            return error.localizedDescription
        }
        return String(cString: strerror(number))
    }
}
