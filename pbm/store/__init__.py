"""The store: tables, engine, queues and shared reads. Rows and queries, no decisions."""
