import { listen } from "../listen.ts";

/**
 * A stand-in for Resend, which delivers an e-mail once per Idempotency-Key, and answers some first attempts with 500 or
 * 429. One e-mail in a hundred is delivered although its response fails. `delivered` has the keys.
 */
export async function openMailService() {
  const delivered = new Set<string>();
  const seen = new Set<string>();
  const statusOf = (key: string): number => {
    const share = seen.has(key) ? -1 : Number.parseInt(key.slice(0, 6), 16) % 100;
    seen.add(key);
    if (share >= 0 && share < 3) return share === 0 ? 429 : 500;
    delivered.add(key);
    return share === 3 ? 500 : 200;
  };
  const server = await listen((request, response) => {
    const status = statusOf(String(request.headers["idempotency-key"]));
    request.resume().on("end", () => response.writeHead(status, { "Content-Type": "application/json" }).end("{}"));
  });
  return { ...server, delivered };
}
