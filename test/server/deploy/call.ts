import type { IncomingHttpHeaders } from "node:http";

/** A call of the platform's API, or of a deployed Worker. */
export type Call = {
  method: string;
  path: string;
  host: string;
  headers: IncomingHttpHeaders;
  type: string;
  raw: Buffer;
  body: string;
};

/** `result` in the API's envelope, or an error with the platform's code. */
export type Answer = { result: unknown; result_info?: unknown } | { code: number; message: string };
