import type { Child, PropsWithChildren } from "hono/jsx";
import { type FormState, idOf, pageOf } from "../forms/state.ts";
import { Button, type Tone } from "./buttons.tsx";
import { Form } from "./form.tsx";

/**
 * A button that asks for confirmation: `label` opens the question, whose form contains the `children`. Works without scripts.
 * A refused form stays open with its errors.
 */
export const ConfirmButton = ({
  form,
  label,
  title,
  text,
  action = label,
  preview,
  tone = "danger",
  children,
}: PropsWithChildren<{
  form: FormState;
  label: string;
  title: string;
  text: Child;
  action?: string;
  /** Name of a button that previews the action; with scripts the preview updates while typing. */
  preview?: string;
  tone?: Tone;
}>) => {
  const id = idOf(form, "dialog");
  const refused = form.message !== null;
  return (
    <>
      {!refused && (
        <button type="button" class={`button ${tone === "danger" ? "danger-quiet" : "quiet"}`} popovertarget={id}>
          {label}
        </button>
      )}
      <dialog
        id={id}
        popover={refused ? undefined : "auto"}
        open={refused}
        class="dialog"
        aria-labelledby={`${id}-title`}
      >
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{text}</p>
        <Form form={form}>
          {children}
          <div class="actions">
            <Button tone={tone}>{action}</Button>
            {preview && (
              <noscript>
                <Button tone="quiet" name="preview" value="true">
                  {preview}
                </Button>
              </noscript>
            )}
            {refused ? (
              <a class="button quiet" href={pageOf(form)} data-discard>
                Not now
              </a>
            ) : (
              <button type="button" class="button quiet" popovertarget={id} popovertargetaction="hide">
                Not now
              </button>
            )}
          </div>
        </Form>
      </dialog>
    </>
  );
};
