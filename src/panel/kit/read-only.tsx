import { createContext, type PropsWithChildren, useContext } from "hono/jsx";

const ReadOnly = createContext(false);

/** Whether a button would send a form that its viewer may not send. */
export const useReadOnly = (): boolean => useContext(ReadOnly);

/** The fields of a form for those who may read them alone. */
export const ReadOnlyForm = ({ children }: PropsWithChildren) => (
  <ReadOnly.Provider value={true}>
    <fieldset class="form read-only" disabled>
      {children}
    </fieldset>
  </ReadOnly.Provider>
);
