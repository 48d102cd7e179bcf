import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import {
  ApiError,
  badRequest,
  type FieldError,
  fieldError,
  tooLarge,
  unsupportedMediaType,
} from "../../../domain/errors.ts";
import { addField, type FormFields, MOST_FIELDS, tooManyFields } from "../../../platform/http/body-parsing.ts";
import { hashed } from "../bucket.ts";
import type { IncomingFile } from "../store.ts";

const TYPE = "multipart/form-data";

const FIELD_BYTES = 64 * 1024;

const LIMITS = {
  fields: MOST_FIELDS,
  fieldSize: FIELD_BYTES,
  files: 1,
  parts: MOST_FIELDS + 2,
  headerPairs: 20,
  headerSize: 8 * 1024,
};

/**
 * Reads a multipart form with one file. Calls `use` when the file begins, with the preceding fields and the file's bytes as a
 * stream with backpressure. `fields` keeps the typed values even if the form is refused.
 */
export async function receiveUpload<T>(
  request: Request,
  use: (fields: FormFields, file: IncomingFile) => Promise<T>,
  fields: FormFields = Object.create(null),
): Promise<T> {
  const body = boundedBody(request);
  const parser = parserFor(request.headers.get("Content-Type") ?? "");
  const stop = new AbortController();
  const problems = new Map<string, FieldError>();
  const opened = Promise.withResolvers<[FormFields, IncomingFile]>();
  const refuse = (error = tooLong()) => opened.reject(body.isTooLong ? tooLong() : error);

  let files = 0;
  parser.on("field", (name, value, _, isCut) => {
    if (files > 0) problems.set(name, fieldError(name, "misplaced", "must come before the file"));
    // The parser writes U+FFFD for bytes that are not UTF-8.
    if (value.includes("\uFFFD")) problems.set(name, fieldError(name, "invalid_format", "must be valid UTF-8"));
    if (isCut)
      problems.set(name, fieldError(name, "too_big", `must have at most ${FIELD_BYTES} bytes`, { limit: FIELD_BYTES }));
    addField(fields, name, value);
  });
  parser.on("file", (name, stream, fileName, _, declaredType) => {
    files++;
    if (body.isTooLong) refuse();
    else if (name !== "file")
      refuse(badRequest(fieldError("file", "required", "is required. Send it as the part named file")));
    else opened.resolve([fields, { fileName, declaredType, ...hashed(bytesOf(stream, received, problems)) }]);
    // Readers of the stream get the error. Without a reader it can be ignored.
    stream.on("error", () => undefined);
    received.catch((error: unknown) => stream.destroy(error instanceof Error ? error : undefined));
  });
  parser.on("fieldsLimit", () => refuse(tooManyFields(MOST_FIELDS)));
  parser.on("filesLimit", () => {
    problems.set("file", fieldError("file", "too_big", "must be one file", { limit: 1 }));
  });

  let over = false;
  const received = pipeline(body.bytes, parser, { signal: stop.signal }).finally(() => {
    over = true;
  });
  received.then(
    () => refuse(badRequest(fieldError("file", "required", "is required"))),
    (error: unknown) => refuse(refusalOf(error)),
  );
  try {
    return await use(...(await opened.promise));
  } finally {
    if (!over) stop.abort();
    await body.drain().catch(() => undefined);
  }
}

/** Identifies an upload for its Idempotency-Key by its fields, file name and bytes, whatever the form's boundary. */
export const asSent =
  (fields: FormFields, { fileName, sha256 }: IncomingFile) =>
  async () => [fields, fileName, await sha256()];

function parserFor(type: string): InstanceType<typeof Busboy> {
  if (!type.toLowerCase().startsWith(TYPE)) throw unsupportedMediaType(TYPE);
  try {
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS });
  } catch {
    throw badRequest(fieldError("body", "invalid_format", "must be multipart/form-data with a boundary"));
  }
}

/** Ends only after the whole form has arrived, so that later fields and errors are not missed. */
async function* bytesOf(
  stream: BusboyFileStream,
  received: Promise<void>,
  problems: Map<string, FieldError>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
    await received;
  } catch (error) {
    throw refusalOf(error);
  }
  if (problems.size > 0) throw badRequest([...problems.values()]);
}

/** The form is incomplete, whether the sender or the network interrupted it. */
const refusalOf = (error: unknown): ApiError =>
  error instanceof ApiError ? error : badRequest(fieldError("body", "incomplete", "ended before it was complete"));

/** The platform's limit for one request body. */
const MAX_BODY_BYTES = 100_000_000;

const tooLong = () => tooLarge(MAX_BODY_BYTES, "100 MB. Send larger files in parts: POST /api/v1/admin/uploads");

/** Reads the bytes of a request, and refuses them once they exceed the limit. */
function boundedBody(request: Request) {
  const reader = request.body?.getReader();
  let arrived = 0;
  let lastRead: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Uint8Array | undefined> {
    const { value } = (await reader?.read()) ?? {};
    arrived += value?.length ?? 0;
    if (arrived > MAX_BODY_BYTES) throw tooLong();
    return value;
  }

  /** Reads are sequential: a request body allows only one at a time. */
  function next(): Promise<Uint8Array | undefined> {
    const reading = lastRead.then(read);
    lastRead = reading.catch(() => undefined);
    return reading;
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  }

  return {
    bytes: bytes(),
    /** True if Content-Length announces too many bytes. */
    isTooLong: Number(request.headers.get("Content-Length")) > MAX_BODY_BYTES,
    /** Reads the rest of the body: a sender refused while still sending would not get to read the error. */
    drain: async () => {
      while (await next());
    },
  };
}
