import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { count, NOTHING, number } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async, Skeleton } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { REFRESH_MS, WEBHOOK_KEY } from './use-webhook.ts';
import styles from './webhook.module.css';

/** Attempts of the last week, as numbers and a bar for each day. */
export function Statistics() {
  const t = useText('webhook');
  const locale = localeNow();
  const timezone = browserZone();
  const query = useCall(
    [WEBHOOK_KEY, 'stats', timezone],
    () => api.GET('/users/me/webhook/stats', { params: { query: { timezone } } }),
    { refetchInterval: REFRESH_MS },
  );
  const time = (ms: number | null) =>
    ms === null ? NOTHING : ms < 1000 ? `${number(ms, locale, 0)} ms` : `${number(ms / 1000, locale, 1)} s`;
  return (
    <Section title={t.stats}>
      <Async query={query} skeleton={<Skeleton lines={1} />}>
        {({ total, buckets }) => {
          if (total.attempts === 0) return <p className="note">{t.noAttempts}</p>;
          const most = Math.max(...buckets.map(({ attempts }) => attempts), 1);
          return (
            <Tile>
              <dl className="facts">
                <Fact name={t.accepted} value={count(total.success, locale)} />
                <Fact name={t.failed} value={count(total.failed, locale)} />
                <Fact name={t.p50} value={time(total.p50ResponseMs)} />
                <Fact name={t.p95} value={time(total.p95ResponseMs)} />
              </dl>
              <ol className={styles.bars}>
                {buckets.map(({ start, success, failed }) => {
                  const day = showTime(start, 'day', { locale, timezone });
                  const words = t.perDay(day, count(success, locale), count(failed, locale));
                  return (
                    <li key={start} title={words}>
                      <span className="only-for-readers">{words}</span>
                      <span className={styles.bar} aria-hidden="true">
                        <span className={styles.barFailed} style={{ height: `${(failed / most) * 100}%` }} />
                        <span className={styles.barGood} style={{ height: `${(success / most) * 100}%` }} />
                      </span>
                      <span className={`note ${styles.barDay}`} aria-hidden="true">
                        {showTime(start, 'weekday', { locale, timezone })}
                      </span>
                    </li>
                  );
                })}
              </ol>
            </Tile>
          );
        }}
      </Async>
    </Section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
