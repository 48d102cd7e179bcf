import type { PropsWithChildren } from "hono/jsx";

/** A part of the page that is reloaded from `src` every few seconds while visible. */
export const Live = ({
  id,
  src,
  seconds,
  children,
}: PropsWithChildren<{ id: string; src: string; seconds: number }>) => (
  <div id={id} data-src={src} data-refresh={seconds}>
    {children}
  </div>
);
