import Audience
import BodyCoding
import Transport

/// What is kept of answers and what arrives of them are one memory.
extension BodyBudget: MemoryAccount {}
