import type { ControlAttributes } from '../field.tsx';

interface TimezoneSelectProps {
  readonly attributes: ControlAttributes;
  readonly value: string;
  readonly onChange: (timezone: string) => void;
  /** The choice of no zone; without it there is none. */
  readonly nothing?: string;
}

/** All zones that the browser knows, and the one that is set, should it know it not. */
export function TimezoneSelect({ attributes, value, onChange, nothing }: TimezoneSelectProps) {
  const known = Intl.supportedValuesOf('timeZone');
  const zones = value === '' || known.includes(value) ? known : [value, ...known];
  return (
    <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)}>
      {nothing !== undefined && <option value="">{nothing}</option>}
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  );
}
