/** Characters that fit into an input. Longer values get several lines. */
const FITS = 60;

/** A value that is shown only once, to be copied. */
export const CopyField = ({
  id,
  label,
  value,
  rows = 3,
}: {
  id: string;
  label: string;
  value: string;
  rows?: number;
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      {value.length <= FITS ? (
        <input id={id} value={value} readonly spellcheck={false} autocomplete="off" />
      ) : (
        <textarea id={id} rows={rows} readonly spellcheck={false}>
          {value}
        </textarea>
      )}
      <button type="button" class="button quiet" data-copy={id} hidden>
        Copy
      </button>
    </div>
  </div>
);
