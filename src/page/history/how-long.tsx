import { count, duration, percent } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { equalBins } from './equal-bins.ts';
import styles from './history.module.css';
import type { Distribution, Durations } from './history-calls.ts';
import type { Shown } from './shown.ts';
import { untilNow, useDistribution } from './total-tiles.tsx';

/** How long people waited and were served, and for how many minutes the queue was long. */
export function HowLong({ subject, range }: Shown) {
  const distribution = useDistribution(subject, untilNow(range));
  return <Async query={distribution}>{(found) => <HowLongOf found={found} />}</Async>;
}

function HowLongOf({ found }: { readonly found: Distribution }) {
  const t = useText('history');
  const locale = localeNow();
  const { waits, queue } = found;
  return (
    <div className="halves">
      <DurationsOf title={t.waits} durations={waits} />
      <Section title={t.longerThan} isCard>
        {waits && waits.count > 0 ? (
          <Bars
            rows={waits.longerThan.map(({ seconds, count: people, share }) => ({
              label: duration(seconds, locale),
              share: share ?? 0,
              shown: t.longerThanAnswer(percent(share, locale, 1), count(people, locale)),
            }))}
          />
        ) : (
          <Nothing isMeasured={waits !== null} />
        )}
      </Section>
      <Section title={t.longQueue} isCard>
        {queue && queue.minutesMeasured > 0 ? (
          <Bars
            rows={queue.levels.map(({ minQueueLength, minutesByMaximum }) => ({
              label: t.longQueueLevel(count(minQueueLength, locale)),
              share: minutesByMaximum / queue.minutesMeasured,
              shown: t.longQueueMinutes(
                count(minutesByMaximum, locale),
                percent(minutesByMaximum / queue.minutesMeasured, locale),
              ),
            }))}
          />
        ) : (
          <Nothing isMeasured={queue !== null} />
        )}
      </Section>
      <DurationsOf title={t.services} durations={found.services} />
      <DurationsOf title={t.abandonedWaits} durations={found.abandonedWaits} />
    </div>
  );
}

const Nothing = ({ isMeasured }: { readonly isMeasured: boolean }) => {
  const t = useText('history');
  return <p className="note">{isMeasured ? t.nobody : t.notMeasuredByZones}</p>;
};

function DurationsOf({ title, durations }: { readonly title: string; readonly durations: Durations | null }) {
  const t = useText('history');
  const locale = localeNow();
  if (!durations || durations.count === 0) {
    return (
      <Section title={title} isCard>
        <Nothing isMeasured={durations !== null} />
      </Section>
    );
  }
  const { count: people, p50Seconds, maxSeconds } = durations;
  const bins = equalBins(durations.bins, maxSeconds ?? 0);
  const most = Math.max(...bins.map((bin) => bin.count));
  return (
    <Section title={title} isCard>
      <p className="note">
        {t.durations(
          count(people, locale),
          people === 1,
          duration(p50Seconds, locale),
          duration(maxSeconds, locale),
        )}
      </p>
      <Bars
        rows={bins.map(({ fromSeconds, toSeconds, count: inBin }) => ({
          label:
            toSeconds === null
              ? t.lastBin(duration(fromSeconds, locale))
              : t.bin(duration(fromSeconds, locale), duration(toSeconds, locale)),
          share: most === 0 ? 0 : inBin / most,
          shown: count(inBin, locale),
        }))}
      />
    </Section>
  );
}

interface Bar {
  readonly label: string;
  /** 0-1 of the width. */
  readonly share: number;
  readonly shown: string;
}

/** Lying bars with their numbers; the numbers are text, so a reader hears a list. */
const Bars = ({ rows }: { readonly rows: readonly Bar[] }) => (
  <ul className={styles.bars}>
    {rows.map(({ label, share, shown }) => (
      <li key={label}>
        <span>{label}</span>
        <span className={styles.track} aria-hidden="true">
          <span style={{ width: `${Math.min(1, share) * 100}%` }} />
        </span>
        <b>{shown}</b>
      </li>
    ))}
  </ul>
);
