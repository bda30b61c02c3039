import Foundation
import NIOCore

enum RegistrationBody {
    /// Text and number values by name; nil for an invalid body.
    static func fields(_ body: ByteBuffer, isJSON: Bool) -> [String: String]? {
        guard body.readableBytes > 0 else { return [:] }
        guard isJSON else {
            let form = FormFields(String(buffer: body))
            return Dictionary(form.pairs.map { ($0.name, $0.value) }) { first, _ in first }
        }
        let data = Data(body.readableBytesView)
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return nil }
        return object.compactMapValues { value in
            switch value {
            case let text as String: text
            case let number as NSNumber: number.stringValue
            default: nil
            }
        }
    }
}
