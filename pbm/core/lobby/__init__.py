"""How boards come about: challenges, invitations and offers."""
