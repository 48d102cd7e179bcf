import { Allowed } from "../kit/allowed.tsx";

/** To who has nothing yet: the way to have all of it at once. */
export const SetUpLink = () => (
  <Allowed to="settings:write">
    <a href="/admin/set-up">Set the shop up</a> for the European Union or the United States.
  </Allowed>
);
