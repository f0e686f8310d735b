import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../api/connection.ts';
import { useCall } from '../../api/query.ts';
import { asCsv, useDownload } from '../../api/use-download.ts';
import { Button } from '../../kit/button.tsx';
import { bucketsOf } from '../../kit/chart/points.ts';
import { count, duration, number, percent } from '../../kit/numbers.ts';
import { Async, Empty, FormFailure } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { TILL_STATES } from '../../kit/tills/till-state.ts';
import { localeNow, useText } from '../../text/text.ts';
import history from '../history.module.css';
import { inTimes } from '../history-calls.ts';
import type { Shown } from '../shown.ts';
import type { TillHistory, TillOfHistory } from './bands.ts';
import { TillBands } from './till-bands.tsx';
import styles from './tills.module.css';

/** New states of a range that is not over are read this often. */
const REFRESH_MS = 60_000;

const paramsOf = ({ subject, range, bucket, timezone }: Shown) => ({
  path: { id: subject.id },
  query: { ...inTimes(range), bucket: bucket as TillHistory['bucket'], timezone },
});

/** When each till of a scene was open, busy and closed, and whom it served. */
export function Tills(shown: Shown) {
  const t = useText('tills');
  const { subject, range } = shown;
  const params = paramsOf(shown);
  const query = useCall(['tills', params], () => api.GET('/analytics/scenes/{id}/tills', { params }), {
    enabled: subject.kind === 'scene',
    placeholderData: keepPreviousData,
    refetchInterval: range.toMs > serverNow() ? REFRESH_MS : false,
  });
  if (subject.kind === 'site') return <Empty title={t.ofScene} icon="history" />;
  return (
    <Async query={query}>
      {(found) =>
        found.tills.length === 0 ? (
          <Empty title={t.none} icon="history">
            {t.noneText}
          </Empty>
        ) : (
          <TillsOf shown={shown} found={found} />
        )
      }
    </Async>
  );
}

function TillsOf({ shown, found }: { readonly shown: Shown; readonly found: TillHistory }) {
  const t = useText('tills');
  const locale = localeNow();
  const { timezone, range } = shown;
  const { download, busy, error } = useDownload();
  const buckets = useMemo(
    () => bucketsOf({ ...found, coveragePercent: found.t.map(() => 100) }, serverNow()),
    [found],
  );
  const file = `tills-${range.firstDay}${range.firstDay === range.lastDay ? '' : `-${range.lastDay}`}.csv`;
  const totals = [
    [t.avgOpen, number(found.avgOpenTills, locale)],
    [t.utilization, percent(found.tillUtilization, locale)],
    [t.waitedWithFree, duration(found.waitedWithFreeTillSeconds, locale)],
  ] as const;
  return (
    <div className="stack">
      <dl className={`cards ${history.totals}`}>
        {totals.map(([name, value]) => (
          <div key={name} className="box">
            <dt>{name}</dt>
            <dd className={value.length > 8 ? history.longNumber : history.number}>{value}</dd>
          </div>
        ))}
      </dl>
      <TillBands found={found} buckets={buckets} timezone={timezone} />
      <Table
        caption={t.table}
        columns={columnsOf(t, locale)}
        rows={found.tills}
        keyOf={({ tillId }) => tillId}
      />
      <div className={`stack ${styles.download}`}>
        <Button
          icon="download"
          isBusy={busy === file}
          onClick={() =>
            download(file, () => api.GET('/analytics/scenes/{id}/tills', asCsv(paramsOf(shown))))
          }
        >
          {t.download}
        </Button>
        <FormFailure error={error} />
      </div>
    </div>
  );
}

function columnsOf(t: ReturnType<typeof useText<'tills'>>, locale: string): Column<TillOfHistory>[] {
  const time = (
    id: string,
    title: string,
    of: (till: TillOfHistory) => number | null,
  ): Column<TillOfHistory> => ({
    ...{ id, title, cell: (till) => duration(of(till), locale), isNumber: true },
  });
  return [
    { id: 'name', title: t.till, cell: ({ name }) => name, isHeading: true },
    { id: 'services', title: t.services, cell: (till) => count(till.services, locale), isNumber: true },
    time('average', t.average, (till) => till.avgServiceSeconds),
    time('p90', t.p90, (till) => till.p90ServiceSeconds),
    ...TILL_STATES.map((state) => time(state, t.states[state], (till) => till[`${state}Seconds`])),
  ];
}
