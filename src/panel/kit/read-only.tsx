import { createContext, type PropsWithChildren, useContext } from "hono/jsx";

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
