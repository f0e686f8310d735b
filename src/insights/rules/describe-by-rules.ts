import { DateTime } from 'luxon';
import type { AlertFacts } from '../../alerts/alert-facts.ts';
import { OPERATORS } from '../../alerts/conditions.ts';
import { CURRENT, ROLLING } from '../../catalogue/metrics/all.ts';
import { metricEntry, numberAt } from '../../metrics/catalogue.ts';
import { RiskLevel } from '../../platform/prisma-client/enums.ts';
import type { StructuredResult } from '../vlm/answer.ts';
import type { Material } from '../writer.ts';
import { duration, people, withUnit } from './wording.ts';

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
 * Describes an alert in words: the value, how long the condition holds, the comparison with the usual value, and what
 * to do.
 */
export function describeByRules(material: Material, usual: Usual | null): StructuredResult {
  const { facts } = material;
  return {
    summary: [fact(material), comparison(material, usual), facts && state(facts), facts && recent(facts)]
      .filter(Boolean)
      .join(' '),
    personCount: facts?.tracks.length ?? 0,
    riskLevel: riskOf(material, usual),
    activities: facts ? activitiesOf(facts) : [],
    suggestions: suggestionsFor(material),
    environment: environmentOf(facts),
  };
}

function fact(material: Material): string {
  const { metricPath, operator, threshold, actualValue, sceneName } = material;
  const { label = metricPath, unit = 'count' } = metricEntry(metricPath) ?? {};
  const what = label.replace(/ \((now|last .*|since start)\)$/, '');
  const when = /\((last .*|since start)\)$/.exec(label)?.[1];
  return `${what}${when ? ` (${when})` : ''} at "${sceneName}" is ${withUnit(actualValue, unit)}; the rule warns at ${OPERATORS[operator].symbol} ${withUnit(threshold, unit)}. ${held(material)}`;
}

/**
 * The longest time so far grows by one second each second. How far it is above its threshold tells how long it has been
 * above.
 */
const GROWING = ['current.maxWaitSeconds', 'current.maxServiceSeconds'];
const TICK_SECONDS = 1;

/** Since when the conditions hold. This does not tell how long people have waited. */
function held(material: Material): string {
  const { metricPath, operator, threshold, actualValue, triggeredAt, facts, timezone } = material;
  const since = facts ? new Date(facts.holdingSince) : triggeredAt;
  const heldSeconds = (triggeredAt.getTime() - since.getTime()) / 1000;
  const clock = DateTime.fromJSDate(since, { zone: timezone ?? 'UTC' }).toFormat('HH:mm');
  const time = timezone === null || timezone === 'UTC' ? `${clock} UTC` : `${clock} (${timezone})`;
  const lasted = heldSeconds >= 1 ? duration(heldSeconds) : null;
  const conditions = facts?.conditions.length ?? 1;
  const isAbove = operator === 'GT' || operator === 'GTE';
  const aboveSeconds = isAbove && GROWING.includes(metricPath) ? actualValue - threshold : 0;
  if (conditions === 1 && aboveSeconds > heldSeconds + TICK_SECONDS)
    return `It was so already when the rule began to watch at ${time}${lasted ? `, ${lasted} ago` : ''}.`;
  const who =
    conditions === 1
      ? 'The rule’s condition has held'
      : facts?.logicOperator === 'AND'
        ? 'All conditions of the rule have held'
        : 'At least one condition of the rule has held';
  return `${who} since ${time}${lasted ? `, for ${lasted}` : ''}.`;
}

function comparison({ metricPath, actualValue, facts }: Material, usual: Usual | null): string {
  const unit = metricEntry(metricPath)?.unit ?? 'count';
  const name = hourlyNameOf(metricPath);
  if (usual) {
    const about = `At this hour it is usually about ${withUnit(usual.value, unit)} (last ${usual.days} days)`;
    if (usual.value <= 0) return `${about}.`;
    const ratio = actualValue / usual.value;
    if (ratio >= 1.5) return `${about}: now ${Math.round(ratio * 10) / 10} times that.`;
    if (ratio <= 0.67) return `${about}: now only ${Math.round(ratio * 100)} % of that.`;
    return `${about}: today is not out of the ordinary.`;
  }
  const lastHour = name && facts ? numberAt(facts.metrics.rolling60Min, name) : null;
  if (lastHour === null || metricPath.startsWith('rolling60Min')) return '';
  return `Over the last hour it was ${withUnit(lastHour, unit)}; there is no longer history to compare with yet.`;
}

/** The numbers that the scene's zones measure. */
function state({ metrics, seen }: AlertFacts): string {
  const { inQueue, inService, maxWaitSeconds } = metrics.current;
  const longest =
    inQueue !== null && inQueue > 0 && maxWaitSeconds !== null
      ? `, the longest for ${duration(maxWaitSeconds)}`
      : '';
  const waiting =
    inQueue === null ? null : `${people(inQueue, seen)} ${areOf(inQueue, seen)} waiting${longest}`;
  if (inService === null) return sentence(`${waiting}`);
  if (waiting === null) return sentence(`${people(inService, seen)} ${areOf(inService, seen)} being served`);
  return sentence(`${waiting}; ${inService === 0 ? 'nobody' : inService} in service`);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const areOf = (count: number, seen: AlertFacts['seen']): string =>
  count === 1 || (count === 0 && seen === 'person') ? 'is' : 'are';

function recent({ metrics, zones }: AlertFacts): string {
  const { completed, abandoned, arrivals } = metrics.rolling5Min;
  const unserved = abandoned.count ?? 0;
  if (completed.count + unserved + arrivals === 0) return '';
  const served = completed.count === 1 ? 'was served' : 'were served';
  const ended = zones.includes('checkoutZone') ? served : 'left the queue';
  const gaveUp = unserved > 0 ? `, ${unserved} gave up` : '';
  return `In the last 5 minutes ${arrivals} came, ${completed.count} ${ended}${gaveUp}.`;
}

function activitiesOf({ metrics, seen, zones }: AlertFacts): string[] {
  const { current, rolling5Min } = metrics;
  const activity = (count: number | null, doing: string) =>
    count === null ? '' : `${people(count, seen)} ${doing}`;
  const ended = zones.includes('checkoutZone') ? 'served' : 'leaving';
  return [
    activity(current.inQueue, 'waiting in the queue'),
    activity(current.inService, 'being served at the checkout'),
    activity(rolling5Min.abandoned.count || null, 'left without being served'),
    rolling5Min.arrivals > rolling5Min.completed.count ? `more arriving than ${ended}` : '',
  ].filter((text) => text !== '');
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

function suggestionsFor({ metricPath, operator, facts }: Material): string[] {
  const isLow = operator === 'LT' || operator === 'LTE';
  const current = facts?.metrics.current;
  if (/coveragePercent/.test(metricPath)) return ['Check the camera: frames are missing'];
  if (isLow && /throughput|completed\.count|inService|Utilization/i.test(metricPath)) {
    return current && (current.inQueue ?? 0) > 0
      ? ['See why nobody is served although people are waiting', 'Send staff to the checkout']
      : ['Staff can do other work for now'];
  }
  if (isLow) return ['Staff can do other work for now'];
  const hasFreeCheckout = facts?.zones.includes('checkoutZone') && current?.inService === 0;
  if (/service/i.test(metricPath)) {
    return ['Ask at the checkout whether help is needed', 'Open another checkout if the queue grows'];
  }
  return [
    hasFreeCheckout && (current.inQueue ?? 0) > 0
      ? 'Send somebody to the checkout: people wait and nobody is served'
      : 'Open another checkout',
    ...(/abandon/i.test(metricPath) || (facts?.metrics.rolling5Min.abandoned.count ?? 0) > 0
      ? ['Speak to the people in line: some are giving up']
      : []),
    'Look again in five minutes whether the queue is shrinking',
  ];
}

function environmentOf(facts: AlertFacts | null): string {
  const isQueue = facts?.zones.includes('queueZone') ?? true;
  const isCheckout = facts?.zones.includes('checkoutZone') ?? false;
  const place =
    isQueue && isCheckout ? 'queue and checkout area' : isCheckout ? 'checkout area' : 'queue area';
  return facts?.seen === 'vehicle' ? `${place} for vehicles` : place;
}
