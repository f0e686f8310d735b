import styles from './till-lamp.module.css';
import type { TillState } from './till-state.ts';

interface TillLampProps {
  readonly state: TillState;
  /** Drawn thinner. */
  readonly isUnsure?: boolean;
  readonly size?: number;
}

/** The colour and the shape of a state: a full disc, a ring, a crossed square, a dashed ring. The word stands beside it. */
export const TillLamp = ({ state, isUnsure = false, size = 16 }: TillLampProps) => (
  <svg
    viewBox="0 0 16 16"
    width={size}
    height={size}
    aria-hidden
    focusable="false"
    className={`${styles.lamp} ${styles[state]} ${isUnsure ? styles.unsure : ''}`}
  >
    {state === 'closed' ? (
      <path d="M3 3h10v10H3zM4 4l8 8M12 4l-8 8" />
    ) : (
      <circle cx={8} cy={8} r={state === 'serving' ? 6 : 5.5} />
    )}
  </svg>
);
