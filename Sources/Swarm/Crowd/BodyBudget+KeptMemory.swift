import Audience
import BodyCoding
import Transport

/// Kept and arriving answers share one memory budget.
extension BodyBudget: MemoryAccount {}
