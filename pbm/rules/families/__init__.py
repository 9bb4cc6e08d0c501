"""Toolkits that several games share: turns, placing, capturing, sowing, connecting."""
