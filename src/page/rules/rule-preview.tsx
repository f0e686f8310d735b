import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { answerOf } from '../../client/client.ts';
import { api, type Resource } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import type { Choice } from '../history/subjects.ts';
import { Chart } from '../kit/chart/chart.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { count } from '../kit/numbers.ts';
import { Failure, Skeleton } from '../kit/states.tsx';
import { showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { decidingValues, marksOf } from './curve.ts';
import type { previewPart } from './draft.ts';
import type { Metric } from './metric-path.ts';
import { metricValue, metricWords, unitOf } from './rule-words.ts';
import styles from './rules.module.css';

type Part = NonNullable<ReturnType<typeof previewPart>>;
type Preview = Resource<'RulePreview'>;

const DAY_MS = 86_400_000;
/** A change is previewed when nothing else changed for so long. */
const PAUSE_MS = 300;
const POINTS = 420;
const LENGTHS = [7, 1] as const;
/** Scenes × days that the API replays. */
const MOST_DAYS = 70;

/** The value that did not change for a while. */
function useSettled<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

interface RulePreviewProps {
  /** Undefined while the conditions are not complete. */
  readonly part: Part | undefined;
  readonly catalogue: readonly Metric[];
  readonly timezone: string;
  /** The scenes that are tried, with their names. */
  readonly scenes: readonly Choice[];
}

/** What a rule would have done: its curve, its limit and each time at which it would have fired. */
export function RulePreview({ part, catalogue, timezone, scenes }: RulePreviewProps) {
  const t = useText('rules');
  const [wanted, setDays] = useState<1 | 7>(7);
  const days = scenes.length * wanted > MOST_DAYS ? 1 : wanted;
  const [endMs] = useState(serverNow);
  const asked = useSettled(part ? JSON.stringify(part) : '', PAUSE_MS);
  const preview = useQuery<{ preview: Preview; part: Part }, Error>({
    queryKey: ['rule-preview', asked, days, endMs],
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const sent = JSON.parse(asked) as Part;
      const startDate = new Date(endMs - days * DAY_MS).toISOString();
      const endDate = new Date(endMs).toISOString();
      const body = { ...sent, startDate, endDate, curvePoints: POINTS };
      const { data } = await answerOf(api.POST('/alerts/rules/preview', { body, signal }));
      return { preview: data, part: sent };
    },
  });
  return (
    <div className="card" aria-busy={preview.isFetching}>
      <SelectField label={t.previewDays} value={days} onChange={(next) => setDays(next === '1' ? 1 : 7)}>
        {LENGTHS.filter((length) => length === 1 || scenes.length * length <= MOST_DAYS).map((length) => (
          <option key={length} value={length}>
            {t.previewLengths[length]}
          </option>
        ))}
      </SelectField>
      {!part && <p className="note">{t.previewFaults}</p>}
      {preview.error && <Failure error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.isLoading && <Skeleton />}
      {part && preview.data && !preview.error && (
        <Shown {...preview.data} {...{ catalogue, timezone, scenes }} length={t.previewLengths[days]} />
      )}
    </div>
  );
}

interface ShownProps {
  readonly preview: Preview;
  readonly part: Part;
  readonly catalogue: readonly Metric[];
  readonly timezone: string;
  readonly scenes: readonly Choice[];
  readonly length: string;
}

function Shown({ preview, part, catalogue, timezone, scenes, length }: ShownProps) {
  const t = useText('rules');
  const locale = localeNow();
  const [at, setAt] = useState(0);
  const condition = part.conditions[at] ?? part.conditions[0]!;
  const { firingCount, firings, snapshotCount, unmeasuredPaths } = preview;
  if (snapshotCount === 0) return <p className="note">{t.previewEmpty}</p>;
  return (
    <>
      <p className={styles.verdict} role="status" data-firings={firingCount}>
        {firingCount === 0
          ? t.wouldNotFire(length)
          : t.wouldFire(count(firingCount, locale), firingCount === 1, length)}
      </p>
      {unmeasuredPaths.length > 0 && (
        <p className="notice" data-tone="warn">
          {t.previewUnmeasured(unmeasuredPaths.map((path) => metricWords(t, path, catalogue)).join(', '))}
        </p>
      )}
      {part.conditions.length > 1 && (
        <SelectField label={t.curveOf} value={at} onChange={(next) => setAt(Number(next))}>
          {part.conditions.map(({ metricPath }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may have the same metric
            <option key={index} value={index}>
              {metricWords(t, metricPath, catalogue)}
            </option>
          ))}
        </SelectField>
      )}
      <PreviewCurve {...{ preview, condition, catalogue, timezone }} />
      {firings.length > 0 && (
        <details className={styles.firings}>
          <summary>
            {firings.length < firingCount ? t.firstFirings(count(firings.length, locale)) : t.firings}
          </summary>
          <ol>
            {firings.map(({ sceneId, triggeredAt, metricPath, actualValue }) => (
              <li key={`${sceneId} ${triggeredAt}`}>
                {scenes.length > 1 && `${scenes.find(({ id }) => id === sceneId)?.name} · `}
                {showTime(triggeredAt, 'dayTime', { locale, timezone })} ·{' '}
                {metricValue(actualValue, unitOf(catalogue, metricPath), locale)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

interface PreviewCurveProps {
  readonly preview: Preview;
  readonly condition: Part['conditions'][number];
  readonly catalogue: readonly Metric[];
  readonly timezone: string;
}

function PreviewCurve({ preview, condition, catalogue, timezone }: PreviewCurveProps) {
  const t = useText('rules');
  const locale = localeNow();
  const { metricPath, operator, threshold } = condition;
  const unit = unitOf(catalogue, metricPath);
  const label = metricWords(t, metricPath, catalogue);
  const shown = useMemo(() => {
    const curve = preview.curves?.find((each) => each.metricPath === metricPath);
    if (!curve) return undefined;
    const values = decidingValues(curve, operator);
    return {
      starts: curve.t,
      coverage: values.map((value) => (value === null ? 0 : 100)),
      lines: [{ label, values, colour: 1 as const }],
      levels: [{ value: threshold, label: t.level(metricValue(threshold, unit, locale)) }],
      marks: marksOf(preview.firings, metricPath),
    };
  }, [preview, metricPath, operator, threshold, label, unit, locale, t]);
  if (!shown) return null;
  return (
    <Chart
      {...shown}
      label={label}
      end={preview.endDate}
      timezone={timezone}
      kind={unit === 'seconds' || unit === 'share' ? unit : 'number'}
      format={(value) => metricValue(value, unit, locale)}
      height={260}
    />
  );
}
