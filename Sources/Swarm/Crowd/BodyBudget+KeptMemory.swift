import Transport
import Viewer

/// Kept and arriving answers share one memory budget.
extension BodyBudget: MemoryAccount {}
