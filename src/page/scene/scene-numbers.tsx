import { useAge } from '../kit/age.tsx';
import { Icon } from '../kit/icon.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Empty } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './scene.module.css';
import { STALE_MS } from './scene-state.ts';
import type { Numbers } from './tills-shown.ts';

interface SceneNumbersProps extends Numbers {
  /** Whether the numbers are of people who are there now; false of a recording and of a stopped analysis. */
  readonly isCurrent: boolean;
}

/** The numbers of a scene now, and those of its last 60 minutes. Old numbers stay, with their age. */
export function SceneNumbers({ metrics, updatedAt, isCurrent }: SceneNumbersProps) {
  const t = useText('scene');
  const ageMs = useAge(updatedAt);
  const locale = localeNow();
  if (metrics === null || ageMs === null) {
    return (
      <Empty title={t.noNumbers} icon="clock">
        {t.noNumbersText}
      </Empty>
    );
  }
  const { current, rolling60Min: hour } = metrics;
  const isStale = !isCurrent || ageMs > STALE_MS;
  return (
    <div className={styles.numbers}>
      {isStale && (
        <p className={styles.stale}>
          <Icon name="clock" size={18} /> {t.asOf(duration(ageMs / 1000, locale))}
        </p>
      )}
      <div className={`${styles.first} ${isStale ? styles.old : ''}`}>
        <p className={styles.big}>
          <strong>{count(current.inQueue, locale)}</strong> {t.waiting(current.inQueue)}
        </p>
        <dl className={styles.pairs}>
          <Pair name={t.estimatedWait} value={duration(current.estimatedWaitSeconds, locale)} />
          <Pair name={t.longestWait} value={duration(current.maxWaitSeconds, locale)} />
          <Pair name={t.inService} value={count(current.inService, locale)} />
        </dl>
      </div>
      <h3>{t.lastHour}</h3>
      <dl className={`${styles.pairs} ${isStale ? styles.old : ''}`}>
        <Pair name={t.served} value={count(hour.completed.count, locale)} />
        <Pair name={t.medianWait} value={duration(hour.completed.p50WaitSeconds, locale)} />
        <Pair name={t.serviceTime} value={duration(hour.completed.avgServiceSeconds, locale)} />
        <Pair name={t.gaveUp} value={count(hour.abandoned.count, locale)} />
      </dl>
    </div>
  );
}

/** A number with its name. */
export const Pair = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
