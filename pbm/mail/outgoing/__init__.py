"""Mail that goes out: notices to bytes, the queue, and the couriers that deliver."""
