import type { ReactNode } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { Chip } from '../kit/chip.tsx';
import { count, duration, number } from '../kit/numbers.ts';
import { Async } from '../kit/states.tsx';
import { Tile, type Tone } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './admin.module.css';
import { useSkewText } from './node-texts.ts';
import { REFRESH_MS } from './refresh.ts';

/** Clocks that differ by more make nodes degraded. */
const WRONG_CLOCK_MS = 2_000;
/** What waits longer than this needs somebody. */
const LATE_MS = 60_000;

/** Whether cameras can be analysed, what waits, and how the database answers. */
export function OverviewTiles() {
  const t = useText('admin');
  const query = useCall(['admin', 'overview'], () => api.GET('/admin/overview'), {
    refetchInterval: REFRESH_MS,
  });
  return (
    <section aria-label={t.overview.title}>
      <Async query={query}>{(overview) => <Tiles overview={overview} />}</Async>
    </section>
  );
}

function Tiles({ overview }: { readonly overview: Resource<'AdminOverview'> }) {
  const t = useText('admin').overview;
  const skewText = useSkewText();
  const locale = localeNow();
  const { isReady, nodes, runs, webhookDeliveries, insights, databaseMs, clockSkewMs } = overview;
  const waiting = (ageMs: number | null) =>
    ageMs === null ? t.nothingWaits : t.waitingSince(duration(ageMs / 1000, locale));
  const late = (ageMs: number | null): Tone | undefined =>
    ageMs !== null && ageMs > LATE_MS ? 'warn' : undefined;
  return (
    <div className={`cards ${styles.facts}`}>
      <Fact
        title={<Chip tone={isReady ? 'good' : 'bad'}>{isReady ? t.ready : t.notReady}</Chip>}
        tone={isReady ? 'good' : 'bad'}
      >
        {isReady ? t.readyText : t.notReadyText}
      </Fact>
      <Fact title={t.cameras} value={count(nodes.activeDeviceCount, locale)}>
        {t.camerasOf(count(nodes.maxConcurrentDevices, locale))}
      </Fact>
      <Fact title={t.waiting} value={count(runs.queued, locale)} tone={late(runs.oldestQueuedAgeMs)}>
        {waiting(runs.oldestQueuedAgeMs)}
      </Fact>
      <Fact
        title={t.deliveries}
        value={count(webhookDeliveries.due, locale)}
        tone={late(webhookDeliveries.oldestDueAgeMs)}
      >
        {waiting(webhookDeliveries.oldestDueAgeMs)}
      </Fact>
      <Fact
        title={t.insights}
        value={count(insights.pending, locale)}
        tone={late(insights.oldestPendingAgeMs)}
      >
        {waiting(insights.oldestPendingAgeMs)}
      </Fact>
      <Fact
        title={t.database}
        value={t.databaseMs(number(databaseMs, locale))}
        tone={Math.abs(clockSkewMs) > WRONG_CLOCK_MS ? 'warn' : undefined}
      >
        {t.clock(skewText(clockSkewMs))}
      </Fact>
    </div>
  );
}

interface FactProps {
  readonly title: ReactNode;
  readonly value?: string;
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}

function Fact({ title, value, tone, children }: FactProps) {
  return (
    <Tile {...(tone && { tone })}>
      <div className={styles.fact}>
        <span className={`note ${styles.factTitle}`}>{title}</span>
        {value !== undefined && <strong className={styles.factValue}>{value}</strong>}
        <span className="note">{children}</span>
      </div>
    </Tile>
  );
}
