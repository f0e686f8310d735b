import type { InputHTMLAttributes } from 'react';
import { Field, type FieldProps } from '../field.tsx';

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className' | 'onChange'>;

interface TextFieldProps extends Omit<FieldProps, 'children'>, Input {
  readonly onChange: (value: string) => void;
}

/** A field to type in. What is not about the field goes to its `<input>`. */
export function TextField({
  label,
  hint,
  error,
  path,
  fault,
  isOptional,
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, path, fault, isOptional }}>
      {(attributes) => <input {...attributes} {...input} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}

/** What the account calls a thing. */
export const NameField = (props: Omit<TextFieldProps, 'path' | 'maxLength'>) => (
  <TextField path="name" maxLength={100} {...props} />
);
