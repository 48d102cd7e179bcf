import type { Form } from "./form.ts";

/** The reasons for a refused form that no field shows. */
export const Refusal = ({ form, fields }: { form: Form; fields: string[] }) => {
  if (form.message === undefined) return null;
  const others = Object.entries(form.errors).filter(([name]) => !fields.includes(name));
  return (
    <div class="refusal" role="alert">
      <p>{form.message}</p>
      {others.length > 0 && (
        <ul>
          {others.map(([, messages]) => (
            <li>{capital(messages.join(", "))}</li>
          ))}
        </ul>
      )}
    </div>
  );
};

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
