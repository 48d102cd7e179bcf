/** Serializes a body: fields with a file become a form, a single file its bytes, anything else JSON. */
export function serialize(body: unknown): FormData | Blob | string {
  if (body instanceof Blob) return body;
  const isForm = typeof body === "object" && body !== null && Object.values(body).some(isFile);
  return isForm ? formOf(body) : JSON.stringify(body);
}

/** The service reads forms as a stream, so the file comes last. */
function formOf(fields: object): FormData {
  const form = new FormData();
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!isFile(value)) for (const one of [value].flat()) form.append(name, String(one));
  }
  for (const [name, value] of entries) if (isFile(value)) form.append(name, value);
  return form;
}

const isFile = (value: unknown): value is Blob => value instanceof Blob;
