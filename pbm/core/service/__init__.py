"""One way in: authenticate, dispatch, one transaction. And what is due, imports, checks, the operator."""
