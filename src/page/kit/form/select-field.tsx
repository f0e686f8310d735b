import type { ReactNode } from 'react';
import { Field, type FieldProps } from '../field.tsx';

interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string | number | undefined;
  readonly onChange: (value: string) => void;
  /** The `<option>`s. */
  readonly children: ReactNode;
}

/** A field to choose in. */
export const SelectField = ({ value, onChange, children, ...field }: SelectFieldProps) => (
  <Field {...field}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    )}
  </Field>
);
