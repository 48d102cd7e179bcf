import type { Choices } from "./choices-queries.ts";

type Choice = { id: number; name: string };

/** The choices with what is chosen already, though it is too old to be among them: saving a form takes nothing away. */
export const withChosen = <Any extends Choice>(choices: readonly Any[], chosen: readonly Choice[]): Choice[] => [
  ...chosen.filter(({ id }) => !choices.some((choice) => choice.id === id)),
  ...choices,
];

/** A file to choose, by what people know it by. */
export const namesOf = (files: Choices["files"]): Choice[] =>
  files.map(({ id, name, fileName }) => ({ id, name: `${name} (${fileName})` }));
