"""Three nodes of PostgreSQL under Patroni and etcd behind HAProxy, as config/patroni has them."""
