"""Growing trees and learning networks: data in, counts out."""
