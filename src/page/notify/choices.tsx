import { Checkbox } from '../kit/form/checkbox.tsx';
import styles from './notify.module.css';
import { toggled } from './reach.ts';

interface ChoicesProps<Id extends string> {
  readonly legend: string;
  readonly options: readonly { readonly id: Id; readonly name: string }[];
  readonly chosen: readonly Id[];
  readonly onChange: (chosen: readonly Id[]) => void;
  readonly fault?: string | undefined;
}

/** Several of a list. */
export function Choices<Id extends string>({ legend, options, chosen, onChange, fault }: ChoicesProps<Id>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className={styles.options}>
        {options.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            isOn={chosen.includes(id)}
            onChange={() => onChange(toggled(chosen, id))}
          />
        ))}
      </div>
      {fault !== undefined && <p className="fault">{fault}</p>}
    </fieldset>
  );
}
