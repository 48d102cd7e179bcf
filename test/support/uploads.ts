/** A form with a file, as a browser or curl sends it: the other fields come before the file. */
export function aForm(
  fields: Record<string, string | string[]> = {},
  {
    content = "hello",
    name = "hello.txt",
    type = "",
  }: { content?: string | Uint8Array<ArrayBuffer>; name?: string; type?: string } = {},
): FormData {
  const form = new FormData();
  for (const [field, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(field, value);
  }
  form.append("file", new File([content], name, { type }));
  return form;
}
