"""How boards look: pictures of characters with roles."""
