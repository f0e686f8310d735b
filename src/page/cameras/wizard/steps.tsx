import { Icon } from '../../kit/icon.tsx';
import { useText } from '../../text/text.ts';
import styles from './wizard.module.css';

/** Where somebody is on the way from a camera to its first number. */
export function Steps({ at }: { readonly at: 0 | 1 | 2 }) {
  const { wizard } = useText('cameras');
  const { steps } = wizard;
  return (
    <ol className={styles.steps} aria-label={wizard.stepOf(at + 1, steps.length)}>
      {steps.map((step, number) => (
        <li key={step} aria-current={number === at ? 'step' : undefined} data-done={number < at || undefined}>
          <span>{number < at ? <Icon name="check" size={16} /> : number + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  );
}
