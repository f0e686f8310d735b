import { nameOf } from '../../catalogue/metrics/words.ts';
import { duration, NOTHING, number, percent } from '../kit/numbers.ts';
import { localeNow, textNow, type useText } from '../text/text.ts';
import { bodyOf, type Draft, type RuleBody } from './draft.ts';
import { type Metric, splitPath, type Unit } from './metric-path.ts';

type Texts = ReturnType<typeof useText<'rules'>>;

/** The name of a metric without its window; of one that the page does not know, as the API says it. */
export function metricName(path: string, catalogue: readonly Metric[]): string {
  const { name } = splitPath(path);
  return nameOf(name, textNow('metrics')) ?? catalogue.find((metric) => metric.path === path)?.label ?? path;
}

/** The name of a metric with its window. */
export function metricWords(t: Texts, path: string, catalogue: readonly Metric[]): string {
  const { window } = splitPath(path);
  const name = metricName(path, catalogue);
  return window === 'current' ? name : `${name} (${t.windows[window]})`;
}

export const unitOf = (catalogue: readonly Metric[], path: string): Unit =>
  catalogue.find((metric) => metric.path === path)?.unit ?? 'count';

/** A value of a metric in its unit. */
export function metricValue(value: number | null, unit: Unit, locale: string): string {
  if (value === null) return NOTHING;
  if (unit === 'seconds') return duration(value, locale);
  if (unit === 'share') return percent(value, locale, 1);
  return unit === 'percent' ? percent(value / 100, locale, 1) : number(value, locale);
}

/** When a rule fires, in one sentence. */
export function ruleSentence(
  t: Texts,
  rule: Pick<RuleBody, 'conditions' | 'logicOperator' | 'durationSeconds' | 'schedule'>,
  { catalogue, locale }: { catalogue: readonly Metric[]; locale: string },
): string {
  const parts = rule.conditions.map(({ metricPath, operator, threshold }) => {
    const value = metricValue(threshold, unitOf(catalogue, metricPath), locale);
    return `${metricWords(t, metricPath, catalogue)} ${textNow('metrics').compared[operator]} ${value}`;
  });
  const held = rule.durationSeconds > 0 ? `, ${t.held(duration(rule.durationSeconds, locale))}` : '';
  const times = rule.schedule ? `, ${t.onTimes}` : '';
  return `${parts.join(` ${rule.logicOperator === 'AND' ? t.and : t.or} `)}${held}${times}`;
}

const MOST_LETTERS = 100;

/** A name for a rule whose owner gives it none: its conditions. */
export function suggestedName(t: Texts, draft: Draft, catalogue: readonly Metric[]): string {
  const { body } = bodyOf({ ...draft, name: '–', sceneId: '–', schedule: null }, catalogue);
  return body ? ruleSentence(t, body, { catalogue, locale: localeNow() }).slice(0, MOST_LETTERS) : '';
}
