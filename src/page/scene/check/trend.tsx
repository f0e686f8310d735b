import { Time } from '../../kit/age.tsx';
import { percent } from '../../kit/numbers.ts';
import { localeNow, useText } from '../../text/text.ts';
import styles from './check.module.css';
import { type Check, shareOf } from './checks.ts';

const MOST = 12;
const STEP = 14;
const HEIGHT = 32;

/** How right the last checks of one kind were, one after the other, each with its range; old ones are hollow. */
export function Trend({
  checks,
  timezone,
}: {
  readonly checks: readonly Check[];
  readonly timezone: string;
}) {
  const t = useText('check');
  const kind = checks.find((check) => shareOf(check))?.kind;
  const shown = checks
    .flatMap((check) => {
      const share = check.kind === kind ? shareOf(check) : null;
      return share ? [{ check, share }] : [];
    })
    .slice(0, MOST)
    .reverse();
  if (shown.length < 2) return null;
  const x = (at: number) => STEP / 2 + at * STEP;
  const y = (value: number) => 4 + ((100 - value) / 100) * (HEIGHT - 8);
  const label = shown.map(({ share }) => percent(share.value / 100, localeNow())).join(', ');
  return (
    <p className={styles.trend}>
      <svg width={shown.length * STEP} height={HEIGHT} role="img" aria-label={t.trend(label)}>
        {shown.map(({ check, share }, at) => (
          <g key={check.id} className={check.outdated ? styles.hollow : undefined}>
            <line x1={x(at)} x2={x(at)} y1={y(share.to)} y2={y(share.from)} />
            <circle cx={x(at)} cy={y(share.value)} r={3.5} />
          </g>
        ))}
      </svg>
      <span className={`note ${styles.text}`}>
        <Time at={shown[0]!.check.finishedAt} style="date" timezone={timezone} /> –{' '}
        <Time at={shown.at(-1)!.check.finishedAt} style="date" timezone={timezone} />
      </span>
    </p>
  );
}
