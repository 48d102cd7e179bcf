import type { PropsWithChildren } from "hono/jsx";
import { PREVIEW } from "../forms/inputs.ts";
import { Button } from "./form.tsx";

/** Shows what the form would save in the page's PreviewCard. A script does so after each change, and hides the button. */
export const PreviewButton = () => (
  <Button tone="quiet" name="do" value={PREVIEW} data-calculates>
    Preview
  </Button>
);

/** A card about the values of the form, which is the only part of the page that the script swaps for a preview. */
export const PreviewCard = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <section class="card" data-preview aria-live="polite">
    <h2>{title}</h2>
    {children}
  </section>
);
