import { lazy, Suspense } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useCall } from '../api/query.ts';
import { LinkButton } from '../kit/button.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async, Empty, Skeleton } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';

const Chart = lazy(() => import('../kit/chart/chart.tsx').then(({ Chart }) => ({ default: Chart })));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The queue of the last 60 minutes, minute by minute. */
export function LastHour({ sceneId, timezone }: { readonly sceneId: string; readonly timezone: string }) {
  const t = useText('scene');
  const query = useCall(
    ['series', sceneId, 'hour'],
    () => {
      const from = new Date(Math.floor((serverNow() - HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
      return api.GET('/analytics/scenes/{id}/series', {
        params: { path: { id: sceneId }, query: { from, bucket: '1m', timezone } },
      });
    },
    { refetchInterval: MINUTE_MS },
  );
  return (
    <Section
      title={t.curve}
      actions={
        <LinkButton href={`#/history/scenes/${sceneId}`} icon="history">
          {t.history}
        </LinkButton>
      }
    >
      <Async query={query}>
        {(series) => {
          if (series.coveragePercent.every((each) => each === 0))
            return <Empty title={t.curveEmpty} icon="history" />;
          return (
            <Suspense fallback={<Skeleton lines={2} />}>
              <Chart
                label={t.curveLabel(
                  count(Math.max(0, ...series.maxInQueue.map((each) => each ?? 0)), localeNow()),
                  duration(HOUR_MS / 1000, localeNow()),
                )}
                starts={series.t}
                timezone={timezone}
                coverage={series.coveragePercent}
                lines={[{ label: t.waitingPeople, values: series.avgInQueue }]}
                height={180}
              />
            </Suspense>
          );
        }}
      </Async>
    </Section>
  );
}
