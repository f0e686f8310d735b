import type { Target } from '../../catalogue/waits/target.ts';
import { useAge } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { Icon } from '../kit/icon.tsx';
import { count, duration, percent } from '../kit/numbers.ts';
import { Empty } from '../kit/states.tsx';
import { againstTarget, HELD_TONES, levelAgainst } from '../now/target-state.ts';
import { waitWords } from '../now/wait-words.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './scene.module.css';
import { STALE_MS } from './scene-state.ts';
import type { Numbers } from './tills-shown.ts';

interface SceneNumbersProps extends Numbers {
  /** Whether the numbers are of people who are there now; false of a recording and of a stopped analysis. */
  readonly isCurrent: boolean;
  readonly target?: Target | null;
}

/** The numbers of a scene now, and those of its last 60 minutes. Old numbers stay, with their age. */
export function SceneNumbers({ metrics, updatedAt, isCurrent, target = null }: SceneNumbersProps) {
  const t = useText('scene');
  const now = useText('now');
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
  const against = isStale ? null : againstTarget(current, target);
  const held = levelAgainst(hour.serviceLevel, target);
  const limit = target && duration(target.waitSeconds, locale);
  return (
    <div className="stack">
      {isStale && (
        <p className={`row ${styles.stale}`}>
          <Icon name="clock" size={18} /> {t.asOf(duration(ageMs / 1000, locale))}
        </p>
      )}
      <div className={`stack ${isStale ? styles.old : ''}`}>
        <p className={styles.big}>
          <strong>{count(current.inQueue, locale)}</strong> {t.waiting(current.inQueue)}
        </p>
        <dl className="facts">
          <Pair
            name={limit === null ? t.estimatedWait : now.waitWithTarget(limit)}
            value={waitWords(current)}
          />
          <Pair name={t.longestWait} value={duration(current.maxWaitSeconds, locale)} />
          <Pair name={t.inService} value={count(current.inService, locale)} />
        </dl>
        {against && (
          <p>
            <Chip tone={HELD_TONES[against.held]}>
              {now.reasons[against.held === 'within' ? 'fine' : against.held]}
            </Chip>
          </p>
        )}
        {against && against.held !== 'within' && against.by !== 'nobody' && limit !== null && (
          <p>{now.against[against.by](duration(against.seconds, locale), limit)}</p>
        )}
      </div>
      <h3>{t.lastHour}</h3>
      <dl className={`facts ${isStale ? styles.old : ''}`}>
        <Pair name={t.served} value={count(hour.completed.count, locale)} />
        <Pair name={t.medianWait} value={duration(hour.completed.p50WaitSeconds, locale)} />
        <Pair name={t.serviceTime} value={duration(hour.completed.avgServiceSeconds, locale)} />
        <Pair name={t.gaveUp} value={count(hour.abandoned.count, locale)} />
      </dl>
      {target && limit !== null && hour.serviceLevel !== null && held && (
        <p>
          <Chip tone={HELD_TONES[held]}>
            {t.servedWithin(percent(hour.serviceLevel, locale), limit, percent(target.share, locale))}
          </Chip>
        </p>
      )}
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
