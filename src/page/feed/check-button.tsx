import { Button } from '../kit/button.tsx';
import styles from './feed.module.css';

interface CheckButtonProps {
  readonly label: string;
  readonly title: string;
  readonly isBusy: boolean;
  /** Left out where one press is for many alerts. */
  readonly isSeen?: boolean;
  readonly onClick: () => void;
}

/** Marks alerts as seen, in the corner of their row. */
export const CheckButton = ({ label, title, isBusy, isSeen, onClick }: CheckButtonProps) => (
  <span className={styles.seenButton}>
    <Button
      {...{ kind: 'quiet', icon: 'check', isBusy, title, onClick }}
      aria-label={label}
      aria-pressed={isSeen}
    />
  </span>
);
