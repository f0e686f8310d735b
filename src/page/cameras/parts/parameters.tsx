import type { Resource } from '../../api/client.ts';
import { Field } from '../../kit/field.tsx';
import { SelectField } from '../../kit/form/select-field.tsx';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';

type Stored = NonNullable<Resource<'Scene'>['config']['parameters']>;
export type ParametersBody = Partial<Stored>;

const NUMBERS = {
  confidenceThreshold: { min: 0, max: 1, step: 0.05 },
  entryThresholdSeconds: { min: 1, max: 60, step: 0.5 },
  exitThresholdSeconds: { min: 1, max: 60, step: 0.5 },
  trackingMaxAgeSeconds: { min: 1, max: 60, step: 0.5 },
} as const;
const NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];

interface ParametersProps {
  /** Null for a new scene: what is not set has the default of the service. */
  readonly stored: Stored | null;
  readonly changed: ParametersBody;
  readonly onChange: (changed: ParametersBody) => void;
  readonly error: unknown;
}

/** How the scene is counted; closed, because the defaults are right for most cameras. */
export function Parameters({ stored, changed, onChange, error }: ParametersProps) {
  const t = useText('cameras');
  const now = { ...stored, ...changed };
  return (
    <details className={styles.parameters}>
      <summary>{t.parameters}</summary>
      <p>{t.parametersText}</p>
      <div className="fields">
        <SelectField
          label={t.parameter.class}
          error={error}
          path="config.parameters.class"
          value={now.class ?? 'person'}
          onChange={(next) => onChange({ ...changed, class: next as Stored['class'] })}
        >
          <option value="person">{t.classes.person}</option>
          <option value="vehicle">{t.classes.vehicle}</option>
        </SelectField>
        {NAMES.map((name) => (
          <Field
            key={name}
            label={t.parameter[name]}
            hint={t.parameterHint[name]}
            error={error}
            path={`config.parameters.${name}`}
          >
            {(attributes) => (
              <input
                {...attributes}
                {...NUMBERS[name]}
                type="number"
                inputMode="decimal"
                value={now[name] ?? ''}
                onChange={({ target }) => onChange(withNumber(changed, name, target.valueAsNumber))}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}

/** An emptied field counts as not changed. */
function withNumber(changed: ParametersBody, name: keyof typeof NUMBERS, value: number): ParametersBody {
  const { [name]: _, ...others } = changed;
  return Number.isNaN(value) ? others : { ...others, [name]: value };
}
