import Foundation
import NIOCore

/// Reads the body of a registration: a form, a JSON object, or nothing.
enum RegistrationBody {
    /// The fields with text or number values by name; nil for a body that is not what its type says.
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
