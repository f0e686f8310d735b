import { keepPreviousData } from '@tanstack/react-query';
import { itemAt } from '../../catalogue/items/items.ts';
import { useCall } from '../api/query.ts';
import { spanLabel } from '../kit/chart/time-labels.ts';
import { Field } from '../kit/field.tsx';
import { HeatMap } from '../kit/heat-map.tsx';
import { duration, number } from '../kit/numbers.ts';
import { Async, Empty } from '../kit/states.tsx';
import { useIsWide } from '../kit/use-is-wide.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './history.module.css';
import { type Heatmap, inTimes, readHeatmap } from './history-calls.ts';
import type { Shown } from './shown.ts';
import { weekRange } from './view.ts';
import { cellTable, hourNames, perHour, weekdayNames } from './week-cells.ts';

/** Metrics of the heat map. Counts are shown per hour. */
const METRICS = {
  avgInQueue: {},
  maxInQueue: {},
  p90WaitSeconds: { isSeconds: true },
  avgWaitSeconds: { isSeconds: true },
  avgServiceSeconds: { isSeconds: true },
  arrivals: { isCount: true },
  completed: { isCount: true },
  abandoned: { isCount: true },
} as const satisfies Record<string, { isSeconds?: true; isCount?: true }>;
type MetricName = keyof typeof METRICS;
const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Weekday by hour of at least four weeks, as a table. */
export function WeekMap(shown: Shown) {
  const t = useText('history');
  const { subject, view, range, timezone, show } = shown;
  const span = weekRange(range);
  const metric = METRIC_NAMES.find((name) => name === view.metric) ?? 'avgInQueue';
  const heatmap = useCall(
    ['heatmap', subject.kind, subject.id, timezone, inTimes(span)],
    () => readHeatmap(subject, span, timezone),
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <Field label={t.weekMetric}>
        {(attributes) => (
          <select {...attributes} value={metric} onChange={({ target }) => show({ metric: target.value })}>
            {METRIC_NAMES.map((name) => (
              <option key={name} value={name}>
                {t.weekMetrics[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Async query={heatmap}>{(map) => <WeekOf {...{ map, metric, timezone }} />}</Async>
    </>
  );
}

interface WeekOfProps {
  readonly map: Heatmap;
  readonly metric: MetricName;
  readonly timezone: string;
}

function WeekOf({ map, metric, timezone }: WeekOfProps) {
  const t = useText('history');
  const locale = localeNow();
  const isWide = useIsWide();
  const { isSeconds, isCount }: { isSeconds?: true; isCount?: true } = METRICS[metric];
  const values = isCount ? perHour(map[metric], map.hours) : map[metric];
  const { hours, days } = cellTable(values, map.coveragePercent);
  const isEmpty = days.every((day) => day.every(({ value }) => value === null));
  const range = spanLabel({ fromMs: Date.parse(map.from), toMs: Date.parse(map.to) }, { timezone, locale });
  if (isEmpty) {
    return (
      <Empty title={t.nothingMeasured} icon="history">
        {t.nothingMeasuredText}
      </Empty>
    );
  }
  const names = hourNames(locale);
  const hourTitles = hours.map((hour) => itemAt(names, hour));
  const dayTitles = weekdayNames(locale, 'short');
  // A phone has room for seven columns, not for 24.
  const rows = isWide ? days : hours.map((_, at) => days.map((day) => itemAt(day, at)));
  return (
    <div className={styles.card}>
      <HeatMap
        caption={t.weekCaption(t.weekMetrics[metric], range)}
        columnTitles={isWide ? hourTitles : dayTitles}
        rowTitles={isWide ? dayTitles : hourTitles}
        values={rows.map((row) => row.map(({ value }) => value))}
        coverage={rows.map((row) => row.map(({ isPoor }) => (isPoor ? 0 : 100)))}
        format={(value) => (isSeconds ? duration(value, locale) : number(value, locale))}
      />
      <p className={styles.note}>
        {range}. {t.weekHint}
      </p>
    </div>
  );
}
