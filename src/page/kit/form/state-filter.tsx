const STATES = ['success', 'failed', 'pending'] as const;
type State = (typeof STATES)[number];

interface StateFilterProps {
  readonly label: string;
  /** The words for no filter. */
  readonly all: string;
  readonly names: Readonly<Record<State, string>>;
  readonly value: State | null;
  readonly onChange: (state: State | null) => void;
}

/** Which attempts to send something are listed. */
export const StateFilter = ({ label, all, names, value, onChange }: StateFilterProps) => (
  <select
    className="control-box"
    aria-label={label}
    value={value ?? ''}
    onChange={({ target }) => onChange(STATES.find((state) => state === target.value) ?? null)}
  >
    <option value="">{all}</option>
    {STATES.map((state) => (
      <option key={state} value={state}>
        {names[state]}
      </option>
    ))}
  </select>
);
