import Values

package struct RequestFacts: Sendable, Equatable, ProfileFields {
    package var multivariant = RequestRule.usual
    package var playlist = RequestRule.usual
    package var segment = RequestRule.usual
    package var assetList = RequestRule.usual
    package var asset = RequestRule.usual
    package var steering = RequestRule.usual

    package static let fields = FieldList(RequestFacts(), showsDefaults: false) { f in
        f.add("multivariant", \.multivariant, .section)
        f.add("playlist", \.playlist, .section)
        f.add("segment", \.segment, .section)
        f.add("assetList", \.assetList, .section)
        f.add("asset", \.asset, .section)
        f.add("steering", \.steering, .section)
    }
}

package struct RequestRule: Sendable, Equatable, ProfileFields {
    /// Nil: timeout of the connection itself.
    package var connect: Duration? = nil
    package var firstByte: Duration? = nil
    package var total: Duration? = nil
    package var afterTimeout = RetryRule.none
    package var afterError = RetryRule.none
    package var afterNoAnswer = RetryRule.none
    package var retriesClientErrors = false

    package static let fields = FieldList(RequestRule(), definition: "requestRule", showsDefaults: false) { f in
        let limit = ScalarRule<Duration>.duration(.milliseconds(10) ... .seconds(600))
        f.add("retries", \.retries, .retries, .short)
        f.add("connect", \.connect, limit, or: "connection")
        f.add("firstByte", \.firstByte, limit, or: "connection")
        f.add("total", \.total, limit, or: "connection")
        f.add("retriesClientErrors", \.retriesClientErrors, .boolean)
        f.add("afterTimeout", \.afterTimeout, .section)
        f.add("afterError", \.afterError, .section)
        f.add("afterNoAnswer", \.afterNoAnswer, .section)
    }

    fileprivate var retries: Int? {
        get { nil }
        set {
            guard let newValue else { return }
            afterTimeout.retries = newValue
            afterError.retries = newValue
            afterNoAnswer.retries = newValue
        }
    }

    package func waitingFirst(_ wait: Duration?) -> RequestRule {
        guard let wait else { return self }
        var rule = self
        rule.afterTimeout.firstWait = wait
        rule.afterError.firstWait = wait
        rule.afterNoAnswer.firstWait = wait
        return rule
    }

    /// Limits endless retries, for content that playback cannot do without; errors surface afterwards.
    package func ending(after retries: Int?) -> RequestRule {
        guard let retries else { return self }
        var rule = self
        for path in [\RequestRule.afterTimeout, \.afterError, \.afterNoAnswer] where rule[keyPath: path].isEndless {
            rule[keyPath: path].retries = retries
        }
        return rule
    }
}

package struct RetryRule: Sendable, Equatable, ProfileFields {
    package enum Growth: String, Sendable, CaseIterable {
        case exponential
        /// (n - 1) times the first wait before the n-th retry.
        case linear
    }

    /// `endless` means without limit.
    package var retries = 0
    package var firstWait = Duration.zero
    package var growth = Growth.exponential
    package var factor = 2.0
    package var longestWait = Duration.seconds(8)
    package var fuzz = 0.0

    package static let none = RetryRule()

    package static let endless = Int.max

    package var isEndless: Bool { retries == Self.endless }

    /// `retry` is 1 for the first; `chance`, from 0 up to 1, chooses the wait within the fuzz; nil if no retry is left.
    package func wait(before retry: Int, chance: Double) -> Duration? {
        guard retry >= 1, retry <= retries else { return nil }
        let first = firstWait / .seconds(1)
        let plain: Double
        switch growth {
        case .exponential:
            var grown = first
            for _ in 1..<max(retry, 1) where grown < 1e6 { grown *= factor }
            plain = grown
        case .linear: plain = first * Double(retry - 1)
        }
        let capped = min(plain, longestWait / .seconds(1))
        return .seconds(capped * (1 + fuzz * (chance * 2 - 1)))
    }

    package static let fields = FieldList(RetryRule(), definition: "retryRule", showsDefaults: false) { f in
        f.add("retries", \.retries, .retries)
        f.add("wait", \.firstWait, .duration(.zero ... .seconds(600)))
        f.add("growth", \.growth, .choice)
        f.add("factor", \.factor, .number(0...100))
        f.add("longestWait", \.longestWait, .duration(.zero ... .seconds(600)))
        f.add("fuzz", \.fuzz, .number(0...1))
    }
}
