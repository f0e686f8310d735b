import { useId, useMemo } from 'react';
import type { ControlAttributes } from '../field.tsx';

interface ZoneInputProps {
  readonly attributes: ControlAttributes;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input of an IANA time zone that suggests those that the browser knows. `isTimezone` checks it. */
export function ZoneInput({ attributes, value, onChange }: ZoneInputProps) {
  const listId = useId();
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  return (
    <>
      <input
        {...attributes}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
