import { Allowed } from "../kit/allowed.tsx";
import { type Names, readReference } from "./names.ts";

/** A reference such as `product:7` by name, as a link. `otherwise` is the text if it was deleted. */
export const Reference = ({ to, names, otherwise }: { to: string; names: Names; otherwise?: string | undefined }) => {
  const known = readReference(to);
  const name = names.get(to);
  if (!known) return <span>{to}</span>;
  if (name === undefined) return <span>{otherwise ?? `${known.kind.replaceAll("_", " ")} ${known.id}`}</span>;
  return (
    <Allowed to={known.needs} otherwise={<span>{name}</span>}>
      <a href={`/admin/${known.path}/${known.id}`}>{name}</a>
    </Allowed>
  );
};
