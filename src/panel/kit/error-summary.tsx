import type { FieldErrors } from "../../domain/errors.ts";
import { fieldAt, fieldLabel, type RenderedFields } from "../forms/fields.ts";
import type { Failed } from "../forms/state.ts";

type Props = { message: string | null; errors: FieldErrors; tone?: Failed["tone"]; fields?: RenderedFields };

/** Why something was refused: as a whole, then by field with links. Takes the focus. */
export const ErrorSummary = ({ message, errors, tone = "error", fields = new Map() }: Props) => {
  const refusals = Object.entries(errors).flatMap(([path, words]) => words.map((each) => ({ path, words: each })));
  if (message === null && refusals.length === 0) return null;
  return (
    <div class={`notice ${tone}`} role="alert" tabindex={-1} autofocus>
      {message && <p>{message}</p>}
      {refusals.length > 0 && (
        <ul>
          {refusals.map(({ path, words }) => (
            <li>
              <Name fields={fields} path={path} />: {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

const Name = ({ fields, path }: { fields: RenderedFields; path: string }) => {
  const found = fieldAt(fields, path);
  if (!found) return <>{path === "body" ? "Your input" : fieldLabel(path)}</>;
  const { id, label } = found.field;
  const group = fields.get(path.slice(0, Math.max(0, path.lastIndexOf("."))));
  return (
    <a href={`#${id}`}>
      {group && group !== found.field && <>{group.label}, </>}
      {label}
      {found.position !== undefined && ` ${found.position}`}
    </a>
  );
};

/** A refusal whose form is no longer on the page, because its action is no longer possible. */
export const Refusal = ({ failed, offered }: { failed: Failed | null; offered: string[] }) =>
  failed && !offered.includes(failed.action) ? <ErrorSummary {...failed} /> : null;
