// Ways in which a request grows: one dimension at a time, with everything else unchanged.

/** A request that can grow. `body` is JSON or the fields of a form. */
export type SeedData = {
  query: Record<string, string>;
  headers: Record<string, string>;
  body: { kind: "json"; value: unknown } | { kind: "form"; fields: [string, string][] } | null;
};

/** A request as it is sent. */
type Grown = Pick<SeedData, "query" | "headers"> & { body: { type: string; text: string } | null };

/** A way to grow a request to `size` and to twice that. Returns null if the request lacks the dimension. */
export type Dimension = { name: string; size: number; grow: (request: SeedData, size: number) => Grown | null };

const jsonBody = (text: string) => ({ type: "application/json", text });
const formBody = (fields: [string, string][]) => ({
  type: "application/x-www-form-urlencoded",
  text: new URLSearchParams(fields).toString(),
});

function written(request: SeedData): Grown {
  const { body } = request;
  if (body === null) return { ...request, body };
  return { ...request, body: body.kind === "json" ? jsonBody(JSON.stringify(body.value)) : formBody(body.fields) };
}

const named = (size: number) => Array.from({ length: size }, (_, at) => `p${at}`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Repeats every list's items and replaces every text by `text`. */
function grown(value: unknown, items: number, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) {
    const inner = value.map((item) => grown(item, items, text));
    return inner.length === 0 || items === 0
      ? inner
      : Array.from({ length: items }, (_, at) => inner[at % inner.length]);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, grown(item, items, text)]));
}

/** Grows only the body: one function for JSON, one for form fields. */
const ofBody =
  (
    json: (value: unknown, size: number) => string,
    form?: (fields: [string, string][], size: number) => [string, string][],
  ): Dimension["grow"] =>
  (request, size) => {
    const { body } = request;
    if (body?.kind === "json") return { ...request, body: jsonBody(json(body.value, size)) };
    if (body?.kind === "form" && form) return { ...request, body: formBody(form(body.fields, size)) };
    return null;
  };

const texts = (name: string, unit: string): Dimension => ({
  name,
  size: 150_000,
  grow: ofBody(
    (value, size) => JSON.stringify(grown(value, 0, (text) => text + unit.repeat(size / unit.length))),
    (fields, size) => {
      const most = Math.max(1, fields.length);
      return fields.map(([field, text]) => [field, text + unit.repeat(size / most / unit.length)]);
    },
  ),
});

/** Headers that grow together. A header that is refused must grow alone, because the others are then not read. */
const headers = (name: string, values: Record<string, (size: number) => string>): Dimension => ({
  name,
  size: 6_000,
  grow: (request, size) => {
    const others = Object.entries(values).map(([header, value]) => [header, value(size)]);
    const Cookie = [request.headers.Cookie, values.Cookie?.(size)].filter(Boolean).join("; ");
    return written({
      ...request,
      headers: { ...request.headers, ...Object.fromEntries(others), ...(Cookie && { Cookie }) },
    });
  },
});

export const dimensions: Dimension[] = [
  {
    name: "query parameters",
    size: 4_000,
    grow: (request, size) =>
      written({
        ...request,
        query: { ...request.query, ...Object.fromEntries(named(size).map((name) => [name, ""])) },
      }),
  },
  {
    name: "query words",
    size: 12_000,
    grow: (request, size) => {
      const names = Object.keys(request.query);
      if (names.length === 0) return null;
      const words = "a b, ".repeat(size / 5 / names.length);
      return written({ ...request, query: Object.fromEntries(names.map((name) => [name, words])) });
    },
  },
  {
    name: "fields",
    size: 40_000,
    grow: ofBody(
      (value, size) =>
        JSON.stringify({ ...Object(value), ...Object.fromEntries(named(size).map((name) => [name, 1])) }),
      (fields, size) => {
        const [[name] = ["a"]] = fields;
        return [...fields, ...Array.from({ length: size }, (): [string, string] => [name, "1"])];
      },
    ),
  },
  {
    name: "depth",
    size: 100_000,
    // Written as text, because serializing it recursively would overflow the stack.
    grow: ofBody((value, size) => {
      const [name = "a", ...others] = Object.keys(Object(value));
      const rest = others.map(
        (other) => `,${JSON.stringify(other)}:${JSON.stringify(Reflect.get(Object(value), other))}`,
      );
      return `{${JSON.stringify(name)}:${"[".repeat(size)}${"]".repeat(size)}${rest.join("")}}`;
    }),
  },
  { name: "items", size: 10_000, grow: ofBody((value, size) => JSON.stringify(grown(value, size, (text) => text))) },
  {
    name: "items within bounds",
    size: 1_000,
    grow: ofBody((value, size) => JSON.stringify(grown(value, size, (text) => text))),
  },
  texts("words", "word "),
  texts("spaces", " "),
  texts("marks", "-.,@%"),
  headers("headers", {
    Accept: (size) => "text/html;q=0.9, ".repeat(size / 17),
    "Accept-Language": (size) => "en;q=0.5,".repeat(size / 9),
    Cookie: (size) => "a=b; ".repeat(size / 5),
    "If-None-Match": (size) => '"x", '.repeat(size / 5),
    Range: (size) => `bytes=${"0-1,".repeat(size / 4)}`,
    "User-Agent": (size) => "Mozilla/5.0 (X11; Linux) ".repeat(size / 25),
  }),
  headers("header If-Match", { "If-Match": (size) => '"x", '.repeat(size / 5) }),
  headers("header Idempotency-Key", { "Idempotency-Key": (size) => "k ".repeat(size / 2) }),
  headers("header X-Client-Address", { "X-Client-Address": (size) => "1:".repeat(size / 2) }),
  headers("header X-Cart-Token", { "X-Cart-Token": (size) => "sfc_".repeat(size / 4) }),
];

/** A route, and a valid request to it. */
export type Target = { name: string; open: () => Promise<{ url: string; method: string; seedling: SeedData }> };
