/** A value that is shown this once, to be taken along. */
export const CopyField = ({ id, label, value }: { id: string; label: string; value: string }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      <input id={id} value={value} readonly spellcheck={false} autocomplete="off" />
      <button type="button" class="button quiet" data-copy={id} hidden>
        Copy
      </button>
    </div>
  </div>
);
