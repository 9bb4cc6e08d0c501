"""A month of a real server in an hour: its clock runs fast, and so do its people."""
