import { importableFields } from "../../back-office/imports/reading/own-columns.ts";
import { type ImportRow, isEncodingGuessed, stateOf } from "../../back-office/imports/schemas.ts";
import type { DecimalSeparator } from "../../domain/numbers.ts";
import {
  type AmbiguousColumn,
  type ImportEncoding,
  type ImportFormat,
  importEncodings,
} from "../../platform/db/schema.ts";
import { type FormInputs, type FormState, fieldLabel, orNone } from "../forms/inputs.ts";
import type { Values } from "../forms/kinds.ts";
import { Columns, Fields } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card } from "../kit/page-parts.tsx";
import { DescriptionList } from "../kit/values.tsx";

const formats = {
  csv: "CSV",
  ndjson: "JSON",
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

/** True if the user should check how the file was read before importing it. */
export const isDoubtful = (row: ImportRow): boolean =>
  isEncodingGuessed(row) || row.ambiguousColumns.length > 0 || (isMapped(row) && row.leftOut.length > 0);

/** True for a file whose columns are chosen by hand. The formats of other shops have theirs. */
const isMapped = ({ format, jobId }: ImportRow): boolean => jobId === null && (format === null || format === "csv");

const COLUMN = "column ";

/** Name of the field for a column of the file. */
export const columnField = (name: string) => COLUMN + name;

/** The fields of columns that were chosen in a form. */
export const chosenColumns = (values: Values): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, [field]]) =>
      name.startsWith(COLUMN) ? [[name.slice(COLUMN.length), field || null]] : [],
    ),
  );

/** A choice for each column that the file names unlike any field. */
export function columnInputs(row: ImportRow): FormInputs {
  if (!isMapped(row)) return {};
  const options = orNone(
    "Leave out",
    importableFields(row.resource)
      // Files of other systems have names of categories.
      .filter((field) => field !== "category_id")
      .map((field) => [field, fieldLabel(field)] as const),
  );
  const names = [...Object.keys(row.columnFields), ...row.leftOut.map(({ column }) => column)];
  return Object.fromEntries(names.map((name) => [columnField(name), { as: "choice", label: name, options }]));
}

export const readAsInputs = {
  encoding: {
    as: "choice",
    label: "Encoding",
    options: orNone(
      "Detected automatically",
      importEncodings.map((each) => [each, encodings[each]] as const),
    ),
  },
  decimal_separator: {
    as: "choice",
    label: "Decimal separator",
    options: orNone("Detected per column", Object.entries(separators)),
  },
} satisfies FormInputs;

/** How a file was read, with options to change it. */
export const ReadingOptions = ({ row, form }: { row: ImportRow; form: FormState<string> }) => {
  const { format, encoding, decimalSeparator, jobId } = row;
  const columns = Object.keys(columnInputs(row));
  return (
    <Card title="File format">
      {isEncodingGuessed(row) && <Guess examples={row.encodingExamples} />}
      {row.ambiguousColumns.length > 0 && <Ambiguous columns={row.ambiguousColumns} />}
      {isMapped(row) && row.leftOut.length > 0 && (
        <p class="notice warning">Choose the fields of the columns that were not recognized, or leave them out.</p>
      )}
      <DescriptionList
        facts={{
          Format: format === null ? undefined : formats[format],
          Encoding: encoding === null ? undefined : encodings[encoding],
          "Decimal separator": decimalSeparator === null ? "detected per column" : separators[decimalSeparator],
        }}
      />
      {jobId === null && stateOf(row) !== "checking" && (
        <details open={isDoubtful(row) || form.message !== null}>
          <summary>Change how the file is read</summary>
          <Form form={form}>
            {columns.length > 0 && <Columns form={form} names={columns} />}
            <Fields form={form} names={Object.keys(readAsInputs)} />
            <Button>Check again</Button>
          </Form>
        </details>
      )}
    </Card>
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
