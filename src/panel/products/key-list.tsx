import type { Context } from "hono";
import * as z from "zod";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { insertAdjustment, StockAdjustmentCreate } from "../../catalogue/products/stock.ts";
import { tooLarge } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { receiveUpload } from "../../downloads/files/uploads/upload-form.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { decodeUtf8 } from "../../platform/http/body-parsing.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitFile } from "../forms/attempt.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { linesOf, text } from "../forms/kinds.ts";
import { sentForm } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { AllFields } from "../kit/fields.tsx";
import { DialogButton, FormDialog } from "../kit/form.tsx";
import type { PanelEnv } from "../page.tsx";

// License keys that are added to a product's list or withdrawn from it, pasted or in a file.

type KeyList = { product: ProductRow; failed: Failed | null };

const actions = {
  license_keys: {
    label: "Add license keys",
    text: "They are sold from the top, after those that are there.",
    tone: "primary",
    note: "Where the keys come from",
  },
  withdrawn_license_keys: {
    label: "Withdraw license keys",
    text: "Removes keys that are not sold, such as wrong ones. Sold keys stay with their buyers.",
    tone: "danger",
    note: "Why the keys are withdrawn",
  },
} as const;

type ListField = keyof typeof actions;

const listFields = ["license_keys", "withdrawn_license_keys"] as const;

export const KeyListParams = IdParam.extend({ field: z.enum(listFields) });

const inputsOf = (field: ListField) =>
  ({
    [field]: { as: "lines", label: "License keys", hint: "One per line, up to 2,000 at once." },
    reason: { as: "text", label: "Note", placeholder: actions[field].note, required: true, maxlength: 200 },
    file: { as: "file", label: "Or choose a file", hint: "Text with one key per line, or CSV." },
  }) satisfies FormInputs;

const formOf = ({ product, failed }: KeyList, field: ListField) =>
  formFor(failed, `/admin/products/${product.id}/${field}`, { inputs: inputsOf(field) });

/** Nothing can be withdrawn from a list without unsold keys. */
const offeredFor = ({ product }: KeyList): ListField[] =>
  listFields.filter((field) => field === "license_keys" || product.stockQuantity !== 0);

export const KeyListButtons = (list: KeyList) => (
  <div class="actions">
    {offeredFor(list).map((field) => (
      <DialogButton form={formOf(list, field)} label={actions[field].label} />
    ))}
  </div>
);

export const KeyListDialogs = (list: KeyList) => (
  <Allowed to="products:write">
    {offeredFor(list).map((field) => {
      const { label, text, tone } = actions[field];
      const form = formOf(list, field);
      return (
        <FormDialog form={form} title={label} text={text} action={label} tone={tone} multipart>
          <AllFields form={form} />
        </FormDialog>
      );
    })}
  </Allowed>
);

/** Handles the form of a list. `show` is the product's page. */
export const changeKeyList = (
  c: Context<PanelEnv>,
  { id, field, show }: { id: number; field: ListField; show: (failed: Failed) => Response | Promise<Response> },
): Promise<Response> =>
  submitFile(c, show, async (values) => {
    const ofFile = await receiveUpload(c.req.raw, (_, { bytes }) => keysIn(bytes), values);
    const sent = sentForm(c.req.path, values);
    const adjustment = sent.read(StockAdjustmentCreate, {
      [field]: ([typed]) => [...linesOf(typed), ...ofFile],
      reason: text,
    });
    const { stockQuantity } = await insertAdjustment(writeContextOf(c), { id, adjustment });
    return redirectWithFlash(c, `/admin/products/${id}`, `The list was saved. Unsold keys: ${stockQuantity}.`);
  });

const MAX_FILE_BYTES = 1024 * 1024;

/** Heading of the column with the keys. */
const KEY_HEADING = /^((license|licence|product|serial|activation)[\s_-]*)?(keys?|codes?|numbers?)$/i;

/** Reads the keys of a text or CSV file: the column that is named after them, or else the first. */
async function keysIn(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const rows = linesOf(await textOf(bytes)).map((line) =>
    line.split(/[,;\t]/).map((cell) => cell.replaceAll(/^"|"$/g, "").trim()),
  );
  const column = rows[0]?.findIndex((cell) => KEY_HEADING.test(cell)) ?? -1;
  return rows.slice(column < 0 ? 0 : 1).map((cells) => cells[Math.max(0, column)] ?? "");
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, "1 MB");
    chunks.push(chunk.slice());
  }
  return decodeUtf8(await new Blob(chunks).arrayBuffer(), "invalid_format").replace(/^\u{FEFF}/u, "");
}
