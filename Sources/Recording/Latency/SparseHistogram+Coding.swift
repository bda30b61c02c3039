import Values

extension SparseHistogram: Codable, EmptyWhereMissing {
    package init() { self.init(digits: .three) }

    private enum CodingKeys: CodingKey { case digits, histogram, minimum, maximum, sum, aboveRange, belowZero }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let above = try values.decode(UInt64.self, forKey: .aboveRange)
        let below = try values.decode(UInt64.self, forKey: .belowZero)
        guard let text = try values.decodeIfPresent(String.self, forKey: .histogram) else {
            guard let digits = Digits(rawValue: try values.decode(Int.self, forKey: .digits)) else {
                throw DecodingError.dataCorruptedError(forKey: .digits, in: values, debugDescription: "2 or 3")
            }
            self.init(digits: digits, aboveRange: above, belowZero: below)
            return
        }
        do {
            try self.init(
                hdrBase64: text,
                minimum: values.decode(Int64.self, forKey: .minimum),
                maximum: values.decode(Int64.self, forKey: .maximum),
                sum: values.decode(Int64.self, forKey: .sum),
                aboveRange: above,
                belowZero: below
            )
        } catch let error as HdrDecodingError {
            throw DecodingError.dataCorruptedError(
                forKey: .histogram,
                in: values,
                debugDescription: error.description
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(aboveRange, forKey: .aboveRange)
        try values.encode(belowZero, forKey: .belowZero)
        guard count > 0 else {
            try values.encode(digits.rawValue, forKey: .digits)
            return
        }
        try values.encode(HdrEncoding.base64(self), forKey: .histogram)
        try values.encode(minimumMicroseconds, forKey: .minimum)
        try values.encode(maximumMicroseconds, forKey: .maximum)
        try values.encode(sumMicroseconds, forKey: .sum)
    }
}
