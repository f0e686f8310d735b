import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './tile.tsx';

/** The shape that says the same as the colour. */
export const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  warn: 'warning',
  bad: 'stop',
  info: 'info',
  plain: 'people',
  off: 'off',
};

interface ChipProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
  /** Shows a button that removes it. */
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
}

/** A short word about something, with colour and shape. */
export function Chip({ tone, children, onRemove, removeLabel }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone ?? 'plain'}>
      {tone && <Icon name={TONE_ICONS[tone]} size={16} />}
      <span>{children}</span>
      {onRemove && (
        <button type="button" className={styles.remove} onClick={onRemove} aria-label={removeLabel}>
          <Icon name="cross" size={14} />
        </button>
      )}
    </span>
  );
}
