import { keepPreviousData } from '@tanstack/react-query';
import { type HistoryMetric, type HistoryName, IN_HISTORY } from '../../../catalogue/metrics/all.ts';
import { valueInWords } from '../../../catalogue/words/value.ts';
import { useCall } from '../../api/query.ts';
import { spanLabel } from '../../kit/chart/time-labels.ts';
import { SelectField } from '../../kit/form/select-field.tsx';
import { HeatMap } from '../../kit/heat-map.tsx';
import { Async, Empty } from '../../kit/states.tsx';
import { useIsWide } from '../../kit/use-is-wide.ts';
import type { Texts } from '../../text/en/all.ts';
import { localeNow, textNow, useText } from '../../text/text.ts';
import { type Heatmap, inTimes, readHeatmap } from '../history-calls.ts';
import type { Shown } from '../shown.ts';
import { weekRange } from '../view.ts';
import { cellTable, hourNames, perHour, weekdayNames } from './week-cells.ts';

/** Metrics of the heat map. Counts are shown per hour. */
const METRICS = IN_HISTORY.filter(({ history }) => history.isInWeek);
const FIRST = METRICS.find(({ history }) => history.name === 'avgInQueue')!;

function titleOf(t: Texts['history'], { words, expression }: HistoryMetric): string {
  const name = words[textNow('metrics').language];
  return expression.isCounted ? t.anHour(name) : name;
}

/** Weekday by hour of at least four weeks, as a table. */
export function WeekMap(shown: Shown) {
  const t = useText('history');
  const { subject, view, range, timezone, show } = shown;
  const span = weekRange(range);
  const metric = METRICS.find(({ history }) => history.name === view.metric) ?? FIRST;
  const heatmap = useCall(
    ['heatmap', subject.kind, subject.id, timezone, inTimes(span)],
    () => readHeatmap(subject, span, timezone),
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <SelectField
        label={t.weekMetric}
        value={metric.history.name}
        onChange={(next) => show({ metric: next })}
      >
        {METRICS.map((known) => (
          <option key={known.history.name} value={known.history.name}>
            {titleOf(t, known)}
          </option>
        ))}
      </SelectField>
      <Async query={heatmap}>{(map) => <WeekOf {...{ map, metric, timezone }} />}</Async>
    </>
  );
}

interface WeekOfProps {
  readonly map: Heatmap;
  readonly metric: HistoryMetric;
  readonly timezone: string;
}

function WeekOf({ map, metric, timezone }: WeekOfProps) {
  const t = useText('history');
  const locale = localeNow();
  const isWide = useIsWide();
  const cells = map[metric.history.name as HistoryName];
  const values = metric.expression.isCounted ? perHour(cells, map.hours) : cells;
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
  const hourTitles = hours.map((hour) => names[hour]!);
  const dayTitles = weekdayNames(locale, 'short');
  // A phone has room for seven columns, not for 24.
  const rows = isWide ? days : hours.map((_, at) => days.map((day) => day[at]!));
  return (
    <div className="card">
      <HeatMap
        caption={t.weekCaption(titleOf(t, metric), range)}
        columnTitles={isWide ? hourTitles : dayTitles}
        rowTitles={isWide ? dayTitles : hourTitles}
        values={rows.map((row) => row.map(({ value }) => value))}
        coverage={rows.map((row) => row.map(({ isPoor }) => (isPoor ? 0 : 100)))}
        format={(value) => valueInWords(value, metric.unit, { locale, words: textNow('metrics') })}
      />
      <p className="note">
        {range}. {t.weekHint}
      </p>
    </div>
  );
}
