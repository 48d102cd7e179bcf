-- What an answer shows and no table holds, a new API key's value or a session's tokens, is kept encrypted.
ALTER TABLE `idempotency_keys` ADD `sealed` text;
