"""Plans of moves: their trees and rules."""
