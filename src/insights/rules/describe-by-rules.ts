import { DateTime } from 'luxon';
import type { AlertFacts } from '../../alerts/alert-facts.ts';
import { CURRENT, ROLLING } from '../../catalogue/metrics/all.ts';
import { unitOf } from '../../catalogue/metrics/words.ts';
import { alertSentence } from '../../catalogue/words/alert-words.ts';
import { durationInWords } from '../../catalogue/words/duration.ts';
import { placeName } from '../../catalogue/words/place-name.ts';
import { valueInWords } from '../../catalogue/words/value.ts';
import { numberAt } from '../../metrics/catalogue.ts';
import { RiskLevel } from '../../platform/prisma-client/enums.ts';
import type { StructuredResult } from '../vlm/answer.ts';
import type { Material } from '../writer.ts';
import { insightWords } from './words/of-account.ts';
import type { InsightWords } from './words/words.ts';

/** Nothing is compared with an hour of which less was seen. Percent. */
const COVERED_PERCENT = 50;

/** Whether enough of a window of an hour was seen. */
export const isCovered = (window: unknown): boolean =>
  (numberAt(window, 'coveragePercent') ?? 0) >= COVERED_PERCENT;

/** The usual value of the metric at this hour, and the number of days that it comes from. */
export interface Usual {
  readonly value: number;
  readonly days: number;
}

/** @returns the name in hourly records with which a metric can be compared; null where there is none */
export function hourlyNameOf(metricPath: string): string | null {
  const [group, ...rest] = metricPath.split('.');
  const name = rest.join('.');
  if (group === 'current') return CURRENT.find((metric) => metric.name === name)?.usual ?? null;
  if (!group?.startsWith('rolling')) return null;
  // Counts grow with the length of the window, so those of an hour cannot be compared with those of five minutes.
  const isCounted = ROLLING.find((metric) => metric.name === name)?.expression.isCounted;
  return isCounted && group !== 'rolling60Min' ? null : name;
}

/**
 * Describes an alert in the words of the account's language: the value, how long the condition holds, the comparison with
 * the usual value, and what to do.
 */
export function describeByRules(material: Material, usual: Usual | null): StructuredResult {
  const { facts, deviceName, sceneName } = material;
  const words = insightWords(material.locale);
  const fact = `${alertSentence(placeName(deviceName, sceneName), material, words)}. ${held(material, words)}`;
  return {
    summary: [
      fact,
      comparison(material, usual, words),
      facts && state(facts, words),
      facts && recent(facts, words),
    ]
      .filter(Boolean)
      .join(' '),
    personCount: facts?.tracks.length ?? 0,
    riskLevel: riskOf(material, usual),
    activities: facts ? activitiesOf(facts, words) : [],
    suggestions: suggestionsFor(material).map((name) => words.suggestions[name]),
    environment: environmentOf(facts, words),
  };
}

/**
 * The longest time so far grows by one second each second. How far it is above its threshold tells how long it has been
 * above.
 */
const GROWING = ['current.maxWaitSeconds', 'current.maxServiceSeconds'];
const TICK_SECONDS = 1;

/** Since when the conditions hold, by the clock at the camera. This does not tell how long people have waited. */
function held(material: Material, words: InsightWords): string {
  const { metricPath, operator, threshold, actualValue, triggeredAt, facts, timezone } = material;
  const since = facts ? new Date(facts.holdingSince) : triggeredAt;
  const heldSeconds = (triggeredAt.getTime() - since.getTime()) / 1000;
  const clock = DateTime.fromJSDate(since, { zone: timezone ?? 'UTC' }).toFormat('HH:mm');
  const time = timezone === null || timezone === 'UTC' ? `${clock} UTC` : clock;
  const lasted = heldSeconds >= 1 ? durationInWords(heldSeconds) : null;
  const conditions = facts?.conditions.length ?? 1;
  const isAbove = operator === 'GT' || operator === 'GTE';
  const aboveSeconds = isAbove && GROWING.includes(metricPath) ? actualValue - threshold : 0;
  if (conditions === 1 && aboveSeconds > heldSeconds + TICK_SECONDS) return words.held.before(time, lasted);
  const which = conditions === 1 ? 'one' : facts?.logicOperator === 'AND' ? 'all' : 'any';
  return words.held.since(which, time, lasted);
}

function comparison(
  { metricPath, actualValue, facts }: Material,
  usual: Usual | null,
  words: InsightWords,
): string {
  const shown = (value: number) => valueInWords(value, unitOf(metricPath) ?? 'count', words);
  const name = hourlyNameOf(metricPath);
  if (usual) {
    const about = words.usual(shown(usual.value), usual.days);
    if (usual.value <= 0) return `${about}.`;
    const { compared } = words;
    const ratio = actualValue / usual.value;
    if (ratio >= 1.5) return `${about}: ${compared.times(valueInWords(ratio, 'count', words))}.`;
    if (ratio <= 0.67) return `${about}: ${compared.only(valueInWords(ratio, 'share', words))}.`;
    return `${about}: ${compared.same}.`;
  }
  const hour = facts?.metrics.rolling60Min;
  const lastHour = name && isCovered(hour) ? numberAt(hour, name) : null;
  if (lastHour === null || metricPath.startsWith('rolling60Min')) return '';
  return words.lastHour(shown(lastHour));
}

/** The numbers that the scene's zones measure. */
function state({ metrics, seen }: AlertFacts, words: InsightWords): string {
  const { inQueue, inService, maxWaitSeconds } = metrics.current;
  const longest =
    inQueue !== null && inQueue > 0 && maxWaitSeconds !== null ? durationInWords(maxWaitSeconds) : null;
  const waiting = inQueue === null ? null : words.waiting(inQueue, seen, longest);
  if (inService === null) return sentence(`${waiting}`);
  if (waiting === null) return sentence(words.served(inService, seen));
  return sentence(`${waiting}; ${words.inService(inService)}`);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function recent({ metrics, zones }: AlertFacts, words: InsightWords): string {
  const { completed, abandoned, arrivals } = metrics.rolling5Min;
  const gaveUp = abandoned.count ?? 0;
  if (completed.count + gaveUp + arrivals === 0) return '';
  return words.recent({ arrivals, completed: completed.count, gaveUp }, zones.includes('checkoutZone'));
}

function activitiesOf({ metrics, seen, zones }: AlertFacts, { activities }: InsightWords): string[] {
  const { current, rolling5Min } = metrics;
  const gaveUp = rolling5Min.abandoned.count ?? 0;
  return [
    ...(current.inQueue === null ? [] : [activities.waiting(current.inQueue, seen)]),
    ...(current.inService === null ? [] : [activities.served(current.inService, seen)]),
    ...(gaveUp > 0 ? [activities.gaveUp(gaveUp, seen)] : []),
    ...(rolling5Min.arrivals > rolling5Min.completed.count
      ? [activities.growing(zones.includes('checkoutZone'))]
      : []),
  ];
}

/** Depends on how far the value is beyond the threshold, and on how many people leave the queue. */
function riskOf(
  { severity, operator, threshold, actualValue, facts }: Material,
  usual: Usual | null,
): RiskLevel {
  const levels = Object.values(RiskLevel);
  const isAbove = operator === 'GT' || operator === 'GTE';
  const beyond = isAbove && threshold > 0 ? actualValue / threshold : 1;
  const walkAway = facts?.metrics.rolling15Min.abandonmentRate ?? 0;
  let level = severity === 'critical' ? 2 : 1;
  if (beyond >= 2 || walkAway >= 0.25) level += 1;
  if (isAbove && usual && usual.value > 0 && actualValue <= usual.value) level -= 1;
  return levels[Math.min(3, Math.max(0, level))]!;
}

function suggestionsFor({
  metricPath,
  operator,
  facts,
}: Material): readonly (keyof InsightWords['suggestions'])[] {
  const isLow = operator === 'LT' || operator === 'LTE';
  const current = facts?.metrics.current;
  const isWaitedFor = (current?.inQueue ?? 0) > 0;
  if (/coveragePercent/.test(metricPath)) return ['checkCamera'];
  const isService = /throughput|completed\.count|inService|Utilization/i.test(metricPath);
  if (isLow && isService && isWaitedFor) return ['whyNobodyServed', 'sendStaff'];
  if (isLow) return ['otherWork'];
  if (/service/i.test(metricPath)) return ['askCheckout', 'openIfGrowing'];
  const hasFreeCheckout = facts?.zones.includes('checkoutZone') && current?.inService === 0;
  const areLeaving = /abandon/i.test(metricPath) || (facts?.metrics.rolling5Min.abandoned.count ?? 0) > 0;
  return [
    hasFreeCheckout && isWaitedFor ? 'serveWaiting' : 'openCheckout',
    ...(areLeaving ? (['speakToLine'] as const) : []),
    'lookAgain',
  ];
}

function environmentOf(facts: AlertFacts | null, { environment }: InsightWords): string {
  const isQueue = facts?.zones.includes('queueZone') ?? true;
  const isCheckout = facts?.zones.includes('checkoutZone') ?? false;
  const at = isQueue && isCheckout ? 'both' : isCheckout ? 'checkout' : 'queue';
  return environment(at, facts?.seen ?? 'person');
}
