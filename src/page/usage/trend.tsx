import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useCall } from '../api/query.ts';
import { Chart } from '../kit/chart/chart.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { number } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { FeatureOptions } from './feature-options.tsx';
import { addMonths, FEATURES, type Feature, REPORT_NAMES } from './meters.ts';
import styles from './usage.module.css';
import { readTrend } from './usage-calls.ts';

const HOUR_SECONDS = 3600;

/** Usage of each day of a month. */
export function Trend({ month }: { readonly month: string }) {
  const t = useText('usage');
  const locale = localeNow();
  const [feature, setFeature] = useState<Feature>('analysis');
  const start = `${month}-01T00:00:00.000Z`;
  const end = new Date(Date.parse(`${addMonths(month, 1)}-01T00:00:00.000Z`) - 1).toISOString();
  const trend = useCall(['billing', 'trend', month], () => readTrend(start, end), {
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t.trend}>
      <div className="card">
        <div className={styles.filter}>
          <SelectField
            label={t.trendFeature}
            value={feature}
            onChange={(next) => setFeature(FEATURES.find((known) => known === next) ?? 'analysis')}
          >
            <FeatureOptions />
          </SelectField>
        </div>
        <Async query={trend}>{({ data }) => <TrendChart {...{ data, feature, locale }} />}</Async>
      </div>
    </Section>
  );
}

interface TrendChartProps {
  readonly data: readonly ({ readonly windowStart: string; readonly windowEnd: string } & Record<
    (typeof REPORT_NAMES)[Feature],
    number
  >)[];
  readonly feature: Feature;
  readonly locale: string;
}

function TrendChart({ data, feature, locale }: TrendChartProps) {
  const t = useText('usage');
  const shown = useMemo(() => {
    const name = REPORT_NAMES[feature];
    const scale = feature === 'analysis' ? HOUR_SECONDS : 1;
    const label = feature === 'analysis' ? `${t.features[feature]} (${t.hours})` : t.features[feature];
    return {
      starts: data.map(({ windowStart }) => windowStart),
      end: data.at(-1)?.windowEnd,
      lines: [{ label, values: data.map((day) => day[name] / scale), isBars: true, colour: 1 as const }],
    };
  }, [data, feature, t]);
  return (
    <Chart
      {...shown}
      label={`${t.trend}: ${t.features[feature]}`}
      timezone="UTC"
      kind={feature === 'analysis' ? 'number' : 'count'}
      format={(value) => number(value, locale)}
      height={200}
    />
  );
}
