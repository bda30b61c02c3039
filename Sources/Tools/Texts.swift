/// Texts one after the other, with conditions between them.
@resultBuilder enum Texts {
    static func buildExpression(_ text: String) -> [String] { [text] }
    static func buildExpression(_ texts: [String]) -> [String] { texts }
    static func buildBlock(_ parts: [String]...) -> [String] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[String]]) -> [String] { parts.flatMap(\.self) }
    static func buildOptional(_ texts: [String]?) -> [String] { texts ?? [] }
    static func buildEither(first texts: [String]) -> [String] { texts }
    static func buildEither(second texts: [String]) -> [String] { texts }
}

func texts(@Texts _ body: () -> [String]) -> [String] { body() }
