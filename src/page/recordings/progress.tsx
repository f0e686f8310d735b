import { percent as percentText } from '../kit/numbers.ts';
import { localeNow } from '../text/text.ts';
import styles from './recordings.module.css';

interface ProgressProps {
  /** 0-100; null while nothing is known. */
  readonly percent: number | null;
  readonly label: string;
}

export function Progress({ percent, label }: ProgressProps) {
  return (
    <div className={`row ${styles.progress}`}>
      <progress aria-label={label} max={100} value={percent ?? undefined} />
      {percent !== null && <span>{percentText(percent / 100, localeNow())}</span>}
    </div>
  );
}
