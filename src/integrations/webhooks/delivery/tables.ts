// The tables of an endpoint's Durable Object, in its own SQLite. A delivery is an event on its way to the endpoint. Of each
// subject only the first that is pending has a `due_at`; those behind it wait for it, so that they arrive in order.

export const TABLES = `
  CREATE TABLE IF NOT EXISTS state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    endpoint_id INTEGER NOT NULL,
    cursor INTEGER,
    last_place INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    succeeded_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    delivery_state TEXT NOT NULL DEFAULT 'pending' CHECK (delivery_state IN ('pending', 'succeeded', 'failed')),
    place INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    planned_at INTEGER,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_in_line ON deliveries (subject, place) WHERE delivery_state = 'pending';
  CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (delivery_state, id);
  CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    answer TEXT
  );
  CREATE INDEX IF NOT EXISTS attempts_of_delivery ON attempts (delivery_id, id);
  CREATE TABLE IF NOT EXISTS replays (
    id TEXT PRIMARY KEY,
    types TEXT NOT NULL,
    from_at INTEGER NOT NULL,
    to_at INTEGER NOT NULL,
    after_id INTEGER NOT NULL,
    until_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS replayed_deliveries (
    delivery_id INTEGER PRIMARY KEY,
    replay_id TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS replayed_deliveries_of_replay ON replayed_deliveries (replay_id);
`;
