"""Decision trees and their files, readable by the standard library alone."""
