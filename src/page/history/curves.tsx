import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Target } from '../../catalogue/waits/target.ts';
import { doubtInWords } from '../../catalogue/words/doubt.ts';
import { serverNow } from '../api/connection.ts';
import { useCall } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Chart, type Line } from '../kit/chart/chart.tsx';
import { alignedWith, earlierIndices } from '../kit/chart/compare.ts';
import { type Bucket, bucketsOf } from '../kit/chart/points.ts';
import type { ValueKind } from '../kit/chart/ticks.ts';
import { spanLabel } from '../kit/chart/time-labels.ts';
import { duration, number, percent } from '../kit/numbers.ts';
import { Async, Empty } from '../kit/states.tsx';
import { localDate } from '../kit/timezone/wall-clock.ts';
import { useIsWide } from '../kit/use-is-wide.ts';
import { languageNow, localeNow, useText } from '../text/text.ts';
import styles from './history.module.css';
import { inTimes, readSeries, type Series } from './history-calls.ts';
import { type OpenSeries, withoutClosed } from './open-series.ts';
import type { Shown } from './shown.ts';
import { TotalTiles } from './total-tiles.tsx';
import { CHARTS, type ChartName, type Comparison, earlierSpan } from './view.ts';

type LineName = keyof ReturnType<typeof useText<'history'>>['lines'];

interface CurveKind {
  readonly kind: ValueKind;
  /** The first is shown beside the earlier one. */
  readonly lines: readonly [LineName, ...LineName[]];
  readonly isBars?: true;
}

const CURVES: Readonly<Record<ChartName, CurveKind>> = {
  queue: { kind: 'number', lines: ['avgInQueue', 'maxInQueue'] },
  wait: { kind: 'seconds', lines: ['p50WaitSeconds', 'p90WaitSeconds'] },
  flow: { kind: 'count', lines: ['arrivals', 'completed'], isBars: true },
  gaveUp: { kind: 'count', lines: ['abandoned'], isBars: true },
  level: { kind: 'share', lines: ['serviceLevel'] },
  service: { kind: 'seconds', lines: ['avgServiceSeconds', 'p90ServiceSeconds'] },
};

/** Values of a curve as people read them. */
const FORMATS: Partial<Record<ValueKind, (value: number, locale: string) => string>> = {
  seconds: duration,
  share: percent,
};

/** New numbers of a range that is not over are read this often. */
const REFRESH_MS = 60_000;

/** The series of the range, and of the same range some days earlier. */
function useSeries({ subject, view, range, timezone, bucket }: Shown) {
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
  const earlierSeries = useMemo(() => before.data && withoutClosed(before.data), [before.data]);
  // What is usual depends on the weeks before alone: it is read once.
  const usual = useCall(
    [...key(inTimes(range)), 'usual'],
    () => readSeries(subject, { ...query, usual: true }),
    { staleTime: 60 * 60_000 },
  );
  return { now, before: view.compare > 0 ? earlierSeries : undefined, usual: usual.data };
}

export function Curves(shown: Shown) {
  const { now, ...others } = useSeries(shown);
  return <Async query={now}>{(series) => <CurvesOf {...{ shown, series, ...others }} />}</Async>;
}

interface CurvesOfProps {
  readonly shown: Shown;
  readonly series: Series;
  readonly before: Series | undefined;
  /** The same range with what is usual. */
  readonly usual: Series | undefined;
}

function CurvesOf({ shown, series: whole, before, usual: wholeUsual }: CurvesOfProps) {
  const t = useText('history');
  const { hours } = useText('schedule');
  const locale = localeNow();
  const series = useMemo(() => withoutClosed(whole), [whole]);
  const usual = useMemo(() => wholeUsual && withoutClosed(wholeUsual), [wholeUsual]);
  const { timezone, view, show, bucket } = shown;
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
  // Without a target there is none.
  const hasLevel = view.chart === 'level' || series.serviceLevel.some((share) => share !== null);
  const isMissing = series[CURVES[view.chart].lines[0]].every((value) => value === null);
  /** The hours of a day, or the visits of a shorter time. */
  const open = ({ fromMs, toMs }: Bucket) =>
    bucket === '1d'
      ? show({ length: 1, lastDay: localDate(timezone, fromMs), span: undefined, bucket: undefined })
      : show({ tab: 'visits', span: { fromMs, toMs } });
  if (whole.openPercent?.every((percent) => percent === 0)) {
    return <Empty title={hours.closedDay(spanLabel(shown.range, { timezone, locale }))} icon="clock" />;
  }
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
      <Doubt {...{ series, buckets, timezone }} />
      <section className="card">
        <fieldset className={styles.switch}>
          <legend className="only-for-readers">{t.chart}</legend>
          {CHARTS.filter((chart) => chart !== 'level' || hasLevel).map((chart) => (
            <Button
              key={chart}
              kind={chart === view.chart ? 'main' : 'normal'}
              aria-pressed={chart === view.chart}
              onClick={() => show({ chart })}
            >
              {t.charts[chart]}
            </Button>
          ))}
        </fieldset>
        {isMissing && isWellSeen(series) ? (
          <p className="note">{t.notByZones(t.curves[view.chart])}</p>
        ) : (
          <Curve
            {...{ series, before, earlier, timezone }}
            usual={isSameRange(usual, series) ? usual?.usual : undefined}
            target={shown.target}
            chart={view.chart}
            isByDay={bucket === '1d'}
            compare={view.compare}
            onOpen={(at) => open(buckets[at]!)}
            onRange={(span) => show({ span, bucket: undefined })}
          />
        )}
      </section>
    </>
  );
}

/** By how much the first line of a curve may be wrong. */
const errorsOf = (chart: ChartName, { expectedErrorPercent, expectedWaitErrorPercent }: Series) =>
  chart === 'queue' ? expectedErrorPercent : chart === 'wait' ? expectedWaitErrorPercent : undefined;

/** The times whose numbers are doubtful. */
function Doubt({
  series,
  buckets,
  timezone,
}: Pick<CurveProps, 'series' | 'timezone'> & { buckets: Bucket[] }) {
  const locale = localeNow();
  const parts = buckets.map((bucket, at) => ({
    ...bucket,
    expectedErrorPercent: series.expectedErrorPercent[at] ?? null,
  }));
  const nameOf = (span: { fromMs: number; toMs: number }) => spanLabel(span, { timezone, locale });
  const told = doubtInWords(parts, { language: languageNow(), locale, nameOf });
  return (
    told && (
      <p className={`notice ${styles.warning}`} data-tone="warn">
        {told}
      </p>
    )
  );
}
/** While another range is read, the last one is still shown. */
const isSameRange = (one: Series | undefined, other: Series): boolean =>
  one?.from === other.from && one.to === other.to;

/** Whether a number that is missing everywhere is missing because of the zones. */
const isWellSeen = ({ coveragePercent }: Series): boolean => coveragePercent.some((percent) => percent >= 80);

interface CurveProps {
  readonly chart: ChartName;
  readonly series: OpenSeries;
  readonly before: Series | undefined;
  readonly earlier: readonly (number | null)[] | undefined;
  readonly usual: Series['usual'];
  readonly timezone: string;
  readonly target: Target | null;
  readonly isByDay: boolean;
  readonly compare: Comparison;
  readonly onOpen: (at: number) => void;
  readonly onRange: (span: { fromMs: number; toMs: number }) => void;
}

function Curve({ chart, series, before, earlier, usual: bands, isByDay, compare, ...chosen }: CurveProps) {
  const t = useText('history');
  const locale = localeNow();
  const isWide = useIsWide();
  const curve = CURVES[chart];
  const { target } = chosen;
  const levels = useMemo(() => {
    if (!target) return [];
    const value = { wait: target.waitSeconds, level: target.share }[chart as string];
    return value === undefined ? [] : [{ value, label: t.target }];
  }, [target, chart, t]);
  const lines = useMemo(() => {
    // A line between two days would show hours that nobody measured.
    const isBars = curve.isBars === true || isByDay;
    const [first] = curve.lines;
    const other: Line[] =
      before && earlier
        ? [
            {
              label: t.beforeLine(t.lines[first], t.comparisons[compare]),
              values: alignedWith(earlier, before[first]),
              isOther: true,
              isBars,
            },
          ]
        : [];
    const own = curve.lines.map(
      (name, at): Line => ({
        label: t.lines[name],
        values: series[name],
        colour: at === 0 ? 1 : 2,
        isBars: isBars && at === 0,
      }),
    );
    return [...own, ...other];
  }, [curve, series, before, earlier, isByDay, compare, t]);
  const usual = useMemo(() => {
    const known = bands?.[curve.lines[0] as keyof typeof bands];
    if (!known || typeof known !== 'object') return undefined;
    // Without a band there is nothing to explain.
    return known.low.some((edge) => edge !== null) ? { ...known, label: t.usual } : undefined;
  }, [bands, curve, t]);
  return (
    <Chart
      label={t.curves[chart]}
      hasHeading
      starts={series.t}
      end={series.to}
      ends={series.ends}
      open={series.openPercent}
      coverage={series.coveragePercent}
      errors={errorsOf(chart, series)}
      lines={lines}
      timezone={chosen.timezone}
      kind={curve.kind}
      levels={levels}
      usual={usual}
      height={isWide ? 340 : 240}
      format={(value) => (FORMATS[curve.kind] ?? number)(value, locale)}
      onPick={chosen.onOpen}
      onRange={chosen.onRange}
    />
  );
}
