"""Numbers in a form of their own: ages, durations, points, coordinates, feet and inches."""
