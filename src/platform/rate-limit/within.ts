/** The promise's value, unless it takes longer: then it rejects. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = scheduler.wait(ms, { signal: timer.signal }).then(() => {
    throw new Error(`No answer within ${ms} ms`);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}
