import type { PropsWithChildren } from "hono/jsx";

import { useReadOnly } from "./allowed.tsx";

export type Tone = "primary" | "quiet" | "danger";

/** A submit button. `name` identifies the pressed one of several buttons. */
export const Button = ({
  tone = "primary",
  children,
  ...rest
}: PropsWithChildren<{ tone?: Tone; name?: string; value?: string }>) =>
  useReadOnly() ? null : (
    <button type="submit" class={`button ${tone}`} {...rest}>
      {children}
    </button>
  );

export const LinkButton = ({ href, tone = "quiet", children }: PropsWithChildren<{ href: string; tone?: Tone }>) => (
  <a class={`button ${tone}`} href={href}>
    {children}
  </a>
);
