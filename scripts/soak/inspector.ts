type Answer = { id: number; result?: unknown; error?: { message: string } };
type Event = { method: string; params: { context?: { id: number } } };

type Session = {
  call: <Result>(method: string, params?: object) => Promise<Result>;
  /** Evaluates an expression in the Worker, without keeping its value there for inspection. */
  run: (expression: string) => Promise<void>;
  close: () => void;
};

/**
 * Connects to a Worker's inspector like Chrome's developer tools. It serves one session at a time, and a new session
 * ends the previous one, such as that of `wrangler dev`.
 */
export async function inspect(address: string, attempts = 3): Promise<Session> {
  const session = await connect(address);
  try {
    await session.call("Runtime.enable");
    // Large enough that a session about to end does not complete the message.
    await collect(session);
    return session;
  } catch (error) {
    if (attempts > 1) return inspect(address, attempts - 1);
    throw error;
  }
}

/** A heap snapshot starts with a full garbage collection, which the inspector offers in no other way. */
export const collect = ({ call }: Session): Promise<unknown> => call("HeapProfiler.takeHeapSnapshot");

async function connect(address: string): Promise<Session> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let contextId: number | undefined;
  socket.addEventListener("message", ({ data }) => {
    const message: Answer | Event = JSON.parse(String(data));
    if ("id" in message) waiting.get(message.id)?.(message);
    else if (message.method === "Runtime.executionContextCreated") contextId = message.params.context?.id;
  });
  const ended = new Promise<never>((_, fail) => {
    socket.addEventListener("close", () => fail(new Error(`The inspection at ${address} ended`)));
    socket.addEventListener("error", () => fail(new Error(`The inspection at ${address} failed`)));
  });
  // Does not keep the process alive while no command is pending.
  ended.catch(() => {});
  await Promise.race([new Promise((opened) => socket.addEventListener("open", opened)), ended]);

  async function call<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++lastId;
    const answered = new Promise<Answer>((answer) => waiting.set(id, answer));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await Promise.race([answered, ended]);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  return {
    call,
    run: (expression) => call("Runtime.evaluate", { expression: `void (${expression})`, contextId }),
    close: () => socket.close(),
  };
}
