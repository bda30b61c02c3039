import Foundation
import Rules
import Testing

@testable import Transport

/// One answer as a server sends it, and the reading that is expected of it: a file of the folder `Answers`.
///
/// Ends of lines in a file mean nothing; `\r`, `\n`, `\t`, `\\` and `\xNN` stand for bytes. What is expected follows a line
/// of three dashes. libcurl is asked too, and reads an answer alike unless the file says why it does not.
struct WireAnswer: Sendable, CustomTestStringConvertible {
    /// Limits that the table is read with, by either reader.
    static let limits = AnswerReader.Limits(headerBytes: 1000, bodyBytes: 1000)

    static let files: [URL] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Answers")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let texts = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "txt" }
        return texts.sorted { $0.path < $1.path }
    }()

    /// Without files that cannot be read.
    static let all = files.compactMap(WireAnswer.init(file:))

    static func named(_ name: String) throws -> WireAnswer {
        guard let found = all.first(where: { $0.testDescription == name }) else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    let testDescription: String
    let bytes: [UInt8]
    /// Whether the server closes the connection after its answer.
    var closes = false
    var expected = AnswerReading()
    /// Why libcurl is not to be followed.
    var difference: String?

    private init?(file: URL) {
        testDescription = file.deletingPathExtension().lastPathComponent
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(of: "---") else { return nil }
        bytes = Self.bytes(lines[..<end].joined())
        for line in lines[(end + 1)...] {
            guard let colon = line.firstRange(of: ": ") else { continue }
            let value = line[colon.upperBound...]
            switch line[..<colon.lowerBound] {
            case "closes": closes = value == "yes"
            case "status":
                guard let status = Int(value) else { return nil }
                expected.status = status
            case "failure":
                guard let failure = TransportFailure.allCases.first(where: { $0.code == value }) else { return nil }
                expected.failure = failure
            case "kept": expected.isKept = value == "yes"
            case "flaw":
                guard let flaw = Self.flaws[String(value)] else { return nil }
                expected.flaws.formUnion(flaw)
            case "type": expected.contentType = String(decoding: Self.bytes(value), as: UTF8.self)
            case "wire bytes":
                guard let count = Int(value) else { return nil }
                expected.bodyBytes = count
            case "body": expected.body += Self.bytes(value)
            case "libcurl differs": difference = String(value)
            default: return nil
            }
        }
        if expected.bodyBytes == 0 { expected.bodyBytes = expected.body.count }
    }

    private static let flaws: [String: AnswerFlaws] = [
        "length_invalid": .lengthInvalid, "length_with_transfer_coding": .lengthWithTransferCoding,
        "coding_invalid": .codingInvalid,
    ]

    private static func bytes(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "x"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: bytes.append(escape)
            }
        }
        return bytes
    }
}
