import type { Schedule } from '../kit/form/schedule.ts';
import type { Metric, Unit } from './metric-path.ts';

export const OPERATOR_NAMES = ['GT', 'GTE', 'LT', 'LTE', 'EQ', 'NEQ'] as const;
export type Operator = (typeof OPERATOR_NAMES)[number];

/** What a rule watches: a scene, or every scene of a site. */
interface Place {
  readonly sceneId?: string | null;
  readonly siteId?: string | null;
}

/** What the API stores of a rule, and one of the places. */
export interface RuleBody {
  readonly name: string;
  readonly description: string | null;
  readonly sceneId?: string;
  readonly siteId?: string;
  readonly severity: 'warning' | 'critical';
  readonly conditions: readonly { metricPath: string; operator: Operator; threshold: number }[];
  readonly logicOperator: 'AND' | 'OR';
  readonly cooldownMinutes: number;
  readonly durationSeconds: number;
  readonly schedule: Schedule | null;
}

/** A condition as it is typed. The threshold of a share is typed in percent. */
export interface DraftCondition {
  /** Stays the same while conditions are added and removed. */
  readonly key: number;
  readonly metricPath: string;
  readonly operator: Operator;
  readonly threshold: string;
}

/** A rule while it is edited: numbers are texts, because half a number is none. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  /** Of the two places one is empty, or both. */
  readonly sceneId: string;
  readonly siteId: string;
  readonly severity: 'warning' | 'critical';
  readonly conditions: readonly DraftCondition[];
  readonly logicOperator: 'AND' | 'OR';
  readonly cooldownMinutes: string;
  readonly durationMinutes: string;
  readonly schedule: Schedule | null;
}

/** Faults by the path of their field, as in the errors of the API. */
export type Faults = Readonly<Record<string, Fault>>;
export type Fault = 'missing' | 'number' | 'range' | 'days';

export const MOST_CONDITIONS = 10;

export const newDraft = (sceneId: string): Draft => ({
  name: '',
  description: '',
  sceneId,
  siteId: '',
  severity: 'warning',
  conditions: [{ key: 0, metricPath: 'current.inQueue', operator: 'GT', threshold: '5' }],
  logicOperator: 'AND',
  cooldownMinutes: '15',
  durationMinutes: '2',
  schedule: null,
});

/** What most people ask for, as the beginning of a rule. */
export const EXAMPLES = {
  longQueue: { metricPath: 'current.inQueue', threshold: '5', durationMinutes: '2' },
  longWait: { metricPath: 'current.maxWaitSeconds', threshold: '300', durationMinutes: '0' },
  gaveUp: { metricPath: 'rolling15Min.abandonmentRate', threshold: '10', durationMinutes: '0' },
} as const;
export type Example = keyof typeof EXAMPLES;

export function withExample(draft: Draft, example: Example): Draft {
  const { durationMinutes, ...condition } = EXAMPLES[example];
  return { ...draft, durationMinutes, conditions: [{ key: 0, operator: 'GT', ...condition }] };
}

/** Removes what floating point adds: 0.07 × 100. */
const exact = (value: number): number => Number(value.toPrecision(12));

const factorOf = (unit: Unit | undefined): number => (unit === 'share' ? 100 : 1);
const unitOf = (catalogue: readonly Metric[], path: string) =>
  catalogue.find((metric) => metric.path === path)?.unit;

export function draftOf(rule: Omit<RuleBody, keyof Place> & Place, catalogue: readonly Metric[]): Draft {
  return {
    name: rule.name,
    description: rule.description ?? '',
    sceneId: rule.sceneId ?? '',
    siteId: rule.siteId ?? '',
    severity: rule.severity,
    conditions: rule.conditions.map(({ threshold, ...condition }, key) => ({
      ...condition,
      key,
      threshold: String(exact(threshold * factorOf(unitOf(catalogue, condition.metricPath)))),
    })),
    logicOperator: rule.logicOperator,
    cooldownMinutes: String(rule.cooldownMinutes),
    durationMinutes: String(exact(rule.durationSeconds / 60)),
    schedule: rule.schedule,
  };
}

/** A number as people of any language type it; undefined for anything else. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.').replace('−', '-');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(trimmed) && trimmed.length <= 20 ? Number(trimmed) : undefined;
}

/** @returns the body for the API, or what is wrong with the draft */
export function bodyOf(
  draft: Draft,
  catalogue: readonly Metric[],
): { body: RuleBody; faults?: undefined } | { body?: undefined; faults: Faults } {
  const faults: Record<string, Fault> = {};
  const whole = (path: string, text: string, [least, most]: [number, number]): number => {
    const value = parseNumber(text);
    if (value === undefined || !Number.isInteger(value)) faults[path] = 'number';
    else if (value < least || value > most) faults[path] = 'range';
    return value ?? 0;
  };
  const seconds = (path: string, text: string, mostMinutes: number): number => {
    const minutes = parseNumber(text);
    if (minutes === undefined) faults[path] = 'number';
    else if (minutes < 0 || minutes > mostMinutes) faults[path] = 'range';
    return Math.round((minutes ?? 0) * 60);
  };
  if (draft.name.trim() === '') faults.name = 'missing';
  if (draft.sceneId === '' && draft.siteId === '') faults.sceneId = 'missing';
  const conditions = draft.conditions.map(({ metricPath, operator, threshold }, at) => {
    const value = parseNumber(threshold);
    if (value === undefined) faults[`conditions[${at}].threshold`] = 'number';
    return { metricPath, operator, threshold: exact((value ?? 0) / factorOf(unitOf(catalogue, metricPath))) };
  });
  for (const [at, { days }] of (draft.schedule?.windows ?? []).entries()) {
    if (days.length === 0) faults[`schedule.windows[${at}].days`] = 'days';
  }
  const body: RuleBody = {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    ...(draft.siteId === '' ? { sceneId: draft.sceneId } : { siteId: draft.siteId }),
    severity: draft.severity,
    conditions,
    logicOperator: draft.logicOperator,
    cooldownMinutes: whole('cooldownMinutes', draft.cooldownMinutes, [1, 1440]),
    durationSeconds: seconds('durationSeconds', draft.durationMinutes, 60),
    schedule: draft.schedule,
  };
  return Object.keys(faults).length > 0 ? { faults } : { body };
}

/** What a preview needs of a draft; undefined while a part that decides about firings is wrong. A name is not needed. */
export function previewPart(draft: Draft, catalogue: readonly Metric[]) {
  const { body } = bodyOf({ ...draft, name: draft.name.trim() || '–' }, catalogue);
  if (!body) return undefined;
  const { name: _, description: __, severity: ___, conditions, ...part } = body;
  return { ...part, conditions: [...conditions] };
}

/** Removes a condition; the last one stays. */
export const withoutCondition = (draft: Draft, key: number): Draft =>
  draft.conditions.length === 1
    ? draft
    : { ...draft, conditions: draft.conditions.filter((condition) => condition.key !== key) };

export function withCondition(draft: Draft): Draft {
  if (draft.conditions.length >= MOST_CONDITIONS) return draft;
  const key = Math.max(...draft.conditions.map((condition) => condition.key)) + 1;
  return { ...draft, conditions: [...draft.conditions, { ...draft.conditions.at(-1)!, key }] };
}

export const withChange = (draft: Draft, key: number, change: Partial<DraftCondition>): Draft => ({
  ...draft,
  conditions: draft.conditions.map((condition) =>
    condition.key === key ? { ...condition, ...change, key } : condition,
  ),
});
