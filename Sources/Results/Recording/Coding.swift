import Values

/// Value stored in another form, such as rows in an order.
package protocol CodableByForm: Codable {
    associatedtype Form: Codable

    init(form: Form) throws
    var form: Form { get }
}

extension CodableByForm {
    package init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        do {
            try self.init(form: form)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    package func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }
}

struct FormError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
