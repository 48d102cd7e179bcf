// Sends a form's file in parts, one per request. So it may exceed the maximum size of a request, a broken connection
// costs one part, and the next visit continues where this one ended.

import { show, visit, warn } from "./panel.js";
import { SHA256 } from "./sha256.js";
import { Ended, inUnits, Progress, Refused } from "./upload-progress.js";

const MAX_BYTES = 5_000_000_000;
/** Number of bytes that the server inspects: HEAD_BYTES in src/downloads/files/content-type.ts. */
const HEAD_BYTES = 4096;
/** Bytes hashed at a time: few enough to keep the page responsive. */
const SLICE_BYTES = 512 * 1024;

/** `button` is the pressed one. */
export async function upload(form, button) {
  if (form.inert) return;
  const input = form.elements.file;
  const [file] = input.files;
  const open = form.dataset.open ? JSON.parse(form.dataset.open) : null;
  const problem = problemOf(file, open);
  if (problem) {
    warn(form, problem);
    return input.focus();
  }
  const fields = new URLSearchParams([...new FormData(form, button)].filter(([, value]) => typeof value === "string"));
  const progress = new Progress(form, file);
  try {
    const begun = open ?? (await begin(form, fields, file));
    if (!begun) return;
    const done = await sendAll(begun, file, fields, progress);
    await visit(new URL(`/admin/files/${done.id}`, location.href));
  } catch (error) {
    if (form.isConnected) warn(form, wordsOf(error));
  } finally {
    progress.end();
  }
}

/** Sends the file of a started upload, and returns the stored file. */
export async function sendAll(begun, file, fields, progress) {
  progress.begins(begun);
  const sha256 = await sendParts(begun, file, progress);
  progress.say("All of it is there, and is being checked.");
  return complete(begun, fields, sha256, progress);
}

export function problemOf(file, open) {
  if (!file) return "Choose a file.";
  if (file.size === 0) return `${file.name} is empty. Choose another file.`;
  if (file.size > MAX_BYTES)
    return `${file.name} has ${inUnits(file.size)}: a file may have up to ${inUnits(MAX_BYTES)}.`;
  if (open && (file.name !== open.file_name || file.size !== open.size_bytes)) {
    return `That is another file: choose ${open.file_name} with its ${open.size_bytes.toLocaleString("en")} bytes.`;
  }
  return null;
}

/** Sends the form's values and the start of the file. */
export async function announceFile(address, fields, file) {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const body = new URLSearchParams(fields);
  body.set("file_name", file.name);
  body.set("size_bytes", file.size);
  body.set("mime_type", file.type);
  body.set("head", btoa(String.fromCharCode(...head)));
  const response = await fetch(address, { method: "POST", body });
  // The response is the sign-in page, which would lose the chosen file.
  if (response.status === 401)
    throw new Refused("You were signed out, and nothing was sent. Sign in in another window and send it again.");
  return response;
}

/** Starts the upload of a form. Errors of its fields are shown on the form's page. */
async function begin(form, fields, file) {
  const response = await announceFile(form.dataset.upload, fields, file);
  if (response.headers.get("Content-Type")?.startsWith("application/json")) return response.json();
  const { files } = form.elements.file;
  const action = form.getAttribute("action");
  show({ url: new URL(response.url), redirected: false, html: await response.text() }, { posted: true });
  const again = document.querySelector(`form[action="${action}"][data-upload]`);
  if (again) again.elements.file.files = files;
  return null;
}

/** Sends the missing parts, and returns the SHA-256 of the whole file. Parts sent earlier are read again for this. */
async function sendParts(begun, file, progress) {
  const hash = new SHA256();
  const received = new Set(begun.received_parts);
  for (let number = 1; number <= begun.parts; number++) {
    const part = file.slice((number - 1) * begun.part_size, number * begun.part_size);
    const sending = received.has(number) ? null : progress.persist(() => put(begun, number, part, progress));
    // Awaited below, after code that may fail first.
    sending?.catch(() => undefined);
    await add(hash, part, progress);
    await sending;
    progress.arrived(part.size, sending !== null);
  }
  return toHex(hash.digest());
}

async function add(hash, part, progress) {
  for (let from = 0; from < part.size; from += SLICE_BYTES) {
    progress.goesOn();
    hash.update(new Uint8Array(await part.slice(from, from + SLICE_BYTES).arrayBuffer()));
  }
}

/** Sends one part, by the request type that reports progress. */
function put({ id }, number, part, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded }) => progress.sent(Math.min(loaded, part.size));
    request.onload = () => resolve(request);
    request.onerror = reject;
    request.onabort = () => reject(new Ended());
    request.open("PUT", `/admin/uploads/${id}/parts/${number}`);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    progress.aborts = () => request.abort();
    request.send(part);
  });
}

/** A new version is refused if the file has changed since its form was shown, unless the form overwrites it. */
const complete = async ({ id }, fields, sha256, progress) => {
  const seen = fields.get("overwrite") ?? fields.get("if_match");
  const { responseText } = await progress.persist(async () => {
    const response = await fetch(`/admin/uploads/${id}/complete`, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        ...(seen !== null && { "If-Match": seen }),
      },
      body: JSON.stringify({ sha256 }),
    });
    return { status: response.status, responseText: await response.text() };
  });
  return JSON.parse(responseText);
};

export function wordsOf(error) {
  if (error instanceof Ended) return "The upload was cancelled. What was typed is still here.";
  if (error instanceof Refused) return `${error.message}${error.message.endsWith(".") ? "" : "."}`;
  if (error.name === "NotReadableError" || error.name === "NotFoundError") {
    return "The file cannot be read any more: it was changed or moved. Choose it again.";
  }
  return "No answer came. Send it again.";
}

const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
