/** The SQLite of a Durable Object: each call is done when it returns. */
export class ObjectSql {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  rows<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row[] {
    return this.#storage.sql.exec<Row>(query, ...values).toArray();
  }

  run(query: string, ...values: SqlStorageValue[]): void {
    this.#storage.sql.exec(query, ...values);
  }

  /** All of what `work` writes, or nothing. */
  atomically<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }
}
