"""One way in: authenticate, dispatch, one transaction; what is due, imports, fsck, the operator."""
