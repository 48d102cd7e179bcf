/**
 * Loads something when it is first used, and remembers it. What was loaded is shared by requests, the promise of it is not:
 * what one request waits for, workerd lets no other wait for.
 */
export function onFirstUse<Loaded extends object>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Loaded | undefined;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
}
