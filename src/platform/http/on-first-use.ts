/**
 * Loads a value on first use and remembers it. The value is shared between requests, but not its promise: workerd lets no
 * request use another's I/O.
 */
export function onFirstUse<Loaded extends object>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Loaded | undefined;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
}
