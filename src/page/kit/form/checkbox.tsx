interface CheckboxProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A box to tick, with its text as the target. */
export function Checkbox({ label, hint, isOn, isDisabled, onChange }: CheckboxProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <small className="note">{hint}</small>}
      </span>
    </label>
  );
}
