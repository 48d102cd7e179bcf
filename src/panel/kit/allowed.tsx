import { type Child, createContext, Fragment, type PropsWithChildren, useContext } from "hono/jsx";
import { type Caller, isAdministrator, may } from "../../platform/auth/caller.ts";
import type { Permission } from "../../platform/auth/roles.ts";

/** The permission required for a part of a page: that of the route to which it leads. */
export type Need = Permission | "administrators" | "staff";

export function isAllowed(caller: Caller, needed: Need): boolean {
  if (needed === "staff") return true;
  return needed === "administrators" ? isAdministrator(caller) : may(caller, needed);
}

const Viewer = createContext<Caller>({ kind: "anonymous" });

/** Provides the viewer of its children. */
export const ViewedBy = Viewer.Provider;

export const useAllowed = (needed: Need): boolean => isAllowed(useContext(Viewer), needed);

/** Shows its children to viewers with the permission. */
export const Allowed = ({ to, otherwise, children }: PropsWithChildren<{ to: Need; otherwise?: Child }>) =>
  Fragment({ children: useAllowed(to) ? children : otherwise });

const ReadOnly = createContext(false);

/** True if the viewer may not send the form. */
export const useReadOnly = (): boolean => useContext(ReadOnly);

/** A form's fields for viewers who may only read. */
export const ReadOnlyForm = ({ children }: PropsWithChildren) => (
  <ReadOnly.Provider value={true}>
    <fieldset class="form read-only" disabled>
      {children}
    </fieldset>
  </ReadOnly.Provider>
);
