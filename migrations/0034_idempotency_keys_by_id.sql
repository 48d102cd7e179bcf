-- Keys are added in the order of their time, so the oldest are the first rows: no index says it again.
DROP INDEX `idempotency_keys_by_age`;
