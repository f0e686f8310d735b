import { useText } from '../../text/text.ts';
import { Field } from '../field.tsx';

const ROTATIONS = [0, 90, 180, 270] as const;
export type Rotation = (typeof ROTATIONS)[number];

interface RotationFieldProps {
  readonly value: Rotation;
  readonly error: Error | null;
  readonly onChange: (rotation: Rotation) => void;
  readonly isOff?: boolean;
}

/** How the picture of a camera or recording is turned. */
export function RotationField({ value, error, onChange, isOff = false }: RotationFieldProps) {
  const t = useText('common');
  return (
    <Field label={t.rotation} hint={t.rotationHint} error={error} path="rotation">
      {(attributes) => (
        <select
          {...attributes}
          disabled={isOff}
          value={value}
          onChange={({ target }) => onChange(Number(target.value) as Rotation)}
        >
          {ROTATIONS.map((each) => (
            <option key={each} value={each}>
              {t.rotations[each]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
