import { type ReactNode, useId } from 'react';
import { fieldError } from '../api/error-text.ts';
import { useText } from '../text/text.ts';
import styles from './field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The error of the call; the field shows what `details` say about `path`. */
  readonly error?: unknown;
  /** Path of the field in the body, for example `conditions[0].threshold`. */
  readonly path?: string | undefined;
  /** A fault that the page itself found. */
  readonly fault?: string | undefined;
  readonly isOptional?: boolean | undefined;
  /** The control; spread the given attributes on it. */
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

export interface ControlAttributes {
  readonly id: string;
  readonly className: string | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A labelled control: `<Field label={t.name} error={save.error} path="name">{(a) => <input {...a} />}</Field>`. */
export function Field({ label, hint, error, path, fault, isOptional = false, children }: FieldProps) {
  const id = useId();
  const common = useText('common');
  const wrong = fault ?? (path === undefined ? undefined : fieldError(error, path));
  const described = [hint !== undefined && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="note"> ({common.optional})</span>}
      </label>
      {children({
        id,
        className: `control-box ${styles.control}`,
        'aria-describedby': described || undefined,
        'aria-invalid': wrong ? true : undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-wrong`} className="fault">
          {wrong}
        </p>
      )}
    </div>
  );
}
