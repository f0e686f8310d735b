import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { serverNow } from '../api/connection.ts';
import { useCall } from '../api/query.ts';
import { Chart, type Line } from '../kit/chart/chart.tsx';
import { alignedWith, earlierIndices } from '../kit/chart/compare.ts';
import { type Bucket, bucketsOf } from '../kit/chart/points.ts';
import type { ValueKind } from '../kit/chart/ticks.ts';
import { duration, number } from '../kit/numbers.ts';
import { Async, Empty } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './history.module.css';
import { inTimes, readSeries, type Series } from './history-calls.ts';
import type { Shown } from './shown.ts';
import { TotalTiles } from './total-tiles.tsx';
import { earlierSpan } from './view.ts';

type LineName = keyof ReturnType<typeof useText<'history'>>['lines'];

interface CurveKind {
  readonly id: 'queue' | 'wait' | 'service' | 'flow' | 'gaveUp';
  readonly kind: ValueKind;
  readonly lines: readonly LineName[];
  readonly isBars?: true;
}

/** The charts; the first line of each is shown beside the earlier one. */
const CURVES: readonly CurveKind[] = [
  { id: 'queue', kind: 'number', lines: ['avgInQueue', 'maxInQueue'] },
  { id: 'wait', kind: 'seconds', lines: ['p50WaitSeconds', 'p90WaitSeconds'] },
  { id: 'flow', kind: 'count', lines: ['arrivals', 'completed'], isBars: true },
  { id: 'gaveUp', kind: 'count', lines: ['abandoned'], isBars: true },
  { id: 'service', kind: 'seconds', lines: ['avgServiceSeconds', 'p90ServiceSeconds'] },
];

/** New numbers of a range that is not over are read this often. */
const REFRESH_MS = 60_000;

/** The series of the range, and of the same range some days earlier. */
export function useSeries({ subject, view, range, timezone, bucket }: Shown) {
  const isRunning = range.toMs > serverNow();
  const query = { fromMs: range.fromMs, toMs: range.toMs, bucket, timezone };
  const key = (times: object) => ['series', subject.kind, subject.id, bucket, timezone, times];
  const now = useCall(key(inTimes(range)), () => readSeries(subject, query), {
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? REFRESH_MS : false,
  });
  const earlier = earlierSpan(range, timezone, view.compare);
  const before = useCall(key(inTimes(earlier)), () => readSeries(subject, { ...query, ...earlier }), {
    enabled: view.compare > 0,
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  });
  return { now, before: view.compare > 0 ? before.data : undefined };
}

export function Curves(shown: Shown) {
  const { now, before } = useSeries(shown);
  return <Async query={now}>{(series) => <CurvesOf {...{ shown, series, before }} />}</Async>;
}

interface CurvesOfProps {
  readonly shown: Shown;
  readonly series: Series;
  readonly before: Series | undefined;
}

function CurvesOf({ shown, series, before }: CurvesOfProps) {
  const t = useText('history');
  const { timezone, view, show } = shown;
  const buckets = useMemo(() => bucketsOf(series, serverNow()), [series]);
  const earlier = useMemo(
    () =>
      before &&
      earlierIndices(
        buckets.map(({ fromMs }) => fromMs),
        before.t.map((start) => Date.parse(start)),
        { timezone, days: view.compare },
      ),
    [buckets, before, timezone, view.compare],
  );
  const isSeen =
    series.coveragePercent.some((percent) => percent > 0) || series.arrivals.some((count) => count);
  const isMeasured = ({ lines }: CurveKind) =>
    lines.some((name) => series[name].some((value) => value !== null));
  const missing = CURVES.filter(
    (curve) => !isMeasured(curve) && series[curve.lines[0]!].every((value) => value === null),
  );
  const openVisits = ({ fromMs, toMs }: Bucket) => show({ tab: 'visits', span: { fromMs, toMs } });
  if (!isSeen) {
    return (
      <Empty title={t.nothingMeasured} icon="history">
        {t.nothingMeasuredText}
      </Empty>
    );
  }
  return (
    <>
      <TotalTiles {...{ shown, series, buckets, before, earlier }} />
      <div className={styles.curves}>
        {CURVES.filter((curve) => !missing.includes(curve)).map((curve) => (
          <Curve
            key={curve.id}
            {...{ curve, series, before, earlier, timezone }}
            compare={view.compare}
            onOpen={(at) => openVisits(buckets[at]!)}
            onRange={(span) => show({ span, bucket: undefined })}
          />
        ))}
      </div>
      {missing.length > 0 && isWellSeen(series) && (
        <p className={styles.note}>{missing.map(({ id }) => t.notByZones(t.curves[id])).join(' ')}</p>
      )}
    </>
  );
}

/** Whether a number that is missing everywhere is missing because of the zones. */
const isWellSeen = ({ coveragePercent }: Series): boolean => coveragePercent.some((percent) => percent >= 80);

interface CurveProps {
  readonly curve: CurveKind;
  readonly series: Series;
  readonly before: Series | undefined;
  readonly earlier: readonly (number | null)[] | undefined;
  readonly timezone: string;
  readonly compare: 0 | 7 | 28;
  readonly onOpen: (at: number) => void;
  readonly onRange: (span: { fromMs: number; toMs: number }) => void;
}

function Curve({ curve, series, before, earlier, timezone, compare, onOpen, onRange }: CurveProps) {
  const t = useText('history');
  const locale = localeNow();
  const lines = useMemo(() => {
    const [first] = curve.lines;
    const other: Line[] =
      before && earlier
        ? [
            {
              label: t.beforeLine(t.lines[first!], t.comparisons[compare]),
              values: alignedWith(earlier, before[first!]),
              isOther: true,
              isBars: curve.isBars === true,
              colour: 3,
            },
          ]
        : [];
    const own = curve.lines.map(
      (name, at): Line => ({
        label: t.lines[name],
        values: series[name],
        colour: at === 0 ? 1 : 2,
        isBars: curve.isBars === true && at === 0,
      }),
    );
    return [...own, ...other];
  }, [curve, series, before, earlier, compare, t]);
  return (
    <section className={styles.card}>
      <Chart
        label={t.curves[curve.id]}
        hasHeading
        starts={series.t}
        end={series.to}
        coverage={series.coveragePercent}
        lines={lines}
        timezone={timezone}
        kind={curve.kind}
        format={(value) => (curve.kind === 'seconds' ? duration(value, locale) : number(value, locale))}
        onPick={onOpen}
        onRange={onRange}
      />
    </section>
  );
}
