import { type ImportRow, isEncodingGuessed, stateOf } from "../../back-office/imports/schemas.ts";
import {
  type AmbiguousColumn,
  type DecimalSeparator,
  type ImportEncoding,
  type ImportFormat,
  importEncodings,
} from "../../platform/db/schema.ts";
import type { FormState } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Select } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";

const formats = {
  csv: "CSV",
  ndjson: "NDJSON",
  woocommerce: "WooCommerce CSV",
  shopify: "Shopify CSV",
} as const satisfies Record<ImportFormat, string>;

const encodings = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16, big-endian",
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "windows-1253": "Greek (Windows-1253)",
  "windows-1254": "Turkish (Windows-1254)",
  "windows-1255": "Hebrew (Windows-1255)",
  "windows-1256": "Arabic (Windows-1256)",
  "windows-1257": "Baltic (Windows-1257)",
  macintosh: "Western European (Mac)",
  "koi8-r": "Cyrillic (KOI8-R)",
  ibm866: "Cyrillic (DOS)",
  shift_jis: "Japanese (Shift JIS)",
  "euc-jp": "Japanese (EUC)",
  gb18030: "Chinese, simplified (GB 18030)",
  big5: "Chinese, traditional (Big5)",
  "euc-kr": "Korean (EUC)",
} as const satisfies Record<ImportEncoding, string>;

const separators = { ".": "Point: 1,234.56", ",": "Comma: 1.234,56" } as const satisfies Record<
  DecimalSeparator,
  string
>;

/** Whether a person should look at how the file was read before it is imported. */
export const isDoubtful = (row: ImportRow): boolean => isEncodingGuessed(row) || row.ambiguousColumns.length > 0;

/** How a file was read, and what to choose if it was read wrong. */
export const Reading = ({ row, form }: { row: ImportRow; form: FormState }) => {
  const { format, encoding, decimalSeparator, jobId } = row;
  return (
    <section class="card">
      <h2>File format</h2>
      {isEncodingGuessed(row) && <Guess examples={row.encodingExamples} />}
      {row.ambiguousColumns.length > 0 && <Ambiguous columns={row.ambiguousColumns} />}
      <DescriptionList
        facts={{
          Format: format === null ? undefined : formats[format],
          Encoding: encoding === null ? undefined : encodings[encoding],
          "Decimal separator": decimalSeparator === null ? "decided by each column" : separators[decimalSeparator],
        }}
      />
      {jobId === null && stateOf(row) !== "checking" && (
        <details open={isDoubtful(row) || form.message !== null}>
          <summary>Change how the file is read</summary>
          <Form form={form}>
            <Select
              form={form}
              name="encoding"
              label="Encoding"
              options={[
                ["", "Detected automatically"],
                ...importEncodings.map((each) => [each, encodings[each]] as const),
              ]}
            />
            <Select
              form={form}
              name="decimal_separator"
              label="Decimal separator"
              options={[["", "Detected per column"], ...Object.entries(separators)]}
            />
            <Button>Check again</Button>
          </Form>
        </details>
      )}
    </section>
  );
};

const Guess = ({ examples }: { examples: string[] }) => (
  <div class="notice warning">
    <p>The encoding was guessed. Choose another one if these examples look wrong:</p>
    <ul>
      {examples.map((text) => (
        <li>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  </div>
);

const Ambiguous = ({ columns }: { columns: AmbiguousColumn[] }) => (
  <div class="notice warning">
    <p>These columns have ambiguous numbers. Their rows fail until you choose a decimal separator:</p>
    <ul>
      {columns.map(({ column, rows, example }) => (
        <li>
          {column}: {rows.toLocaleString("en")} {rows === 1 ? "row" : "rows"}, such as “{example}”
        </li>
      ))}
    </ul>
  </div>
);
