import { average, round } from './arithmetic.ts';
import type { CurrentMetric } from './metric.ts';
import { ANY, CHECKOUT, QUEUE, TILLS } from './needed-zones.ts';
import type { Now } from './now.ts';

/** With fewer completions in the last 15 minutes no rate is estimated. */
const FEWEST_COMPLETIONS = 3;

function estimatedWait({ waits, completions: { count, coveredSeconds } }: Now): number | null {
  return count >= FEWEST_COMPLETIONS && coveredSeconds > 0
    ? round((waits.length * coveredSeconds) / count)
    : null;
}

const averageOf = (values: readonly number[]): number | null =>
  average(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
const longest = (values: readonly number[]): number | null =>
  values.length > 0 ? round(Math.max(...values)) : null;

/** Numbers of this moment, in the order of the answers. */
export const CURRENT_METRICS = [
  {
    name: 'inQueue',
    label: 'In queue',
    words: { en: 'People waiting', de: 'Wartende' },
    unit: 'count',
    zones: QUEUE,
    description: 'People waiting now',
    value: ({ waits }) => waits.length,
    ofSite: 'sum',
    usual: 'avgInQueue',
    mqtt: { current: { key: 'in_queue', icon: 'mdi:human-queue' } },
    example: 7,
  },
  {
    name: 'inService',
    label: 'In service',
    words: { en: 'People being served', de: 'Personen in Bedienung' },
    unit: 'count',
    zones: CHECKOUT,
    description: 'People being served now',
    value: ({ services }) => services.length,
    ofSite: 'sum',
    usual: 'avgInService',
    mqtt: { current: { key: 'in_service', icon: 'mdi:account-check' } },
    example: 1,
  },
  {
    name: 'totalPresent',
    label: 'Present',
    words: { en: 'People present', de: 'Anwesende' },
    unit: 'count',
    isAlways: true,
    zones: ANY,
    description: 'People waiting or being served now, as far as measured',
    value: ({ waits, services }) => waits.length + services.length,
    ofSite: 'sum',
    mqtt: { current: { key: 'present', icon: 'mdi:account-group' } },
    example: 8,
  },
  {
    name: 'avgWaitSeconds',
    label: 'Average wait so far',
    words: { en: 'Average wait so far', de: 'Mittlere bisherige Wartezeit' },
    unit: 'seconds',
    zones: QUEUE,
    description: 'Average time waited so far',
    value: ({ waits }) => averageOf(waits),
    ofSite: { averageBy: 'inQueue' },
    usual: 'completed.avgWaitSeconds',
    mqtt: { current: { key: 'wait_so_far', icon: 'mdi:timer-sand' } },
    example: 118.4,
  },
  {
    name: 'maxWaitSeconds',
    label: 'Longest wait so far',
    words: { en: 'Longest wait so far', de: 'Längste bisherige Wartezeit' },
    unit: 'seconds',
    zones: QUEUE,
    description: 'Longest time waited so far',
    value: ({ waits }) => longest(waits),
    ofSite: 'max',
    usual: 'completed.maxWaitSeconds',
    mqtt: { current: { key: 'longest_wait_so_far', icon: 'mdi:timer-alert-outline' } },
    example: 245.2,
  },
  {
    name: 'avgServiceSeconds',
    label: 'Average service so far',
    words: { en: 'Average service so far', de: 'Mittlere bisherige Bedienzeit' },
    unit: 'seconds',
    zones: CHECKOUT,
    description: 'Average time in service so far',
    value: ({ services }) => averageOf(services),
    ofSite: { averageBy: 'inService' },
    usual: 'completed.avgServiceSeconds',
    mqtt: { current: true },
    example: 31.6,
  },
  {
    name: 'maxServiceSeconds',
    label: 'Longest service so far',
    words: { en: 'Longest service so far', de: 'Längste bisherige Bedienzeit' },
    unit: 'seconds',
    zones: CHECKOUT,
    description: 'Longest time in service so far',
    value: ({ services }) => longest(services),
    ofSite: 'max',
    usual: 'completed.maxServiceSeconds',
    mqtt: { current: true },
    example: 31.6,
  },
  {
    name: 'estimatedWaitSeconds',
    label: 'Estimated wait',
    words: { en: 'Estimated wait', de: 'Geschätzte Wartezeit' },
    unit: 'seconds',
    zones: QUEUE,
    description:
      'Expected wait of a person who joins now: people in queue divided by the completions per second of the last 15 minutes; null below 3 completions',
    value: estimatedWait,
    ofSite: 'max',
    usual: 'completed.avgWaitSeconds',
    mqtt: { current: { key: 'estimated_wait', icon: 'mdi:timer-outline' } },
    example: 420,
  },
  {
    name: 'openTills',
    label: 'Open tills',
    words: { en: 'Open tills', de: 'Offene Kassen' },
    unit: 'count',
    zones: TILLS,
    description:
      'Tills that are open now: somebody is served there, or could be; it may change for half a minute',
    value: ({ tills }) => tills && tills.serving + tills.free,
    ofSite: 'sum',
    usual: 'avgOpenTills',
    mqtt: { current: { key: 'open_tills', icon: 'mdi:cash-register', counts: 'tills' } },
    example: 2,
  },
  {
    name: 'servingTills',
    label: 'Serving tills',
    words: { en: 'Tills that serve', de: 'Kassen mit Kunden' },
    unit: 'count',
    zones: TILLS,
    description: 'Tills at which somebody is served now',
    value: ({ tills }) => tills?.serving ?? null,
    ofSite: 'sum',
    mqtt: { current: { key: 'serving_tills', icon: 'mdi:account-cash', counts: 'tills' } },
    example: 1,
  },
  {
    name: 'freeTills',
    label: 'Free tills',
    words: { en: 'Free tills', de: 'Freie Kassen' },
    unit: 'count',
    zones: TILLS,
    description: 'Open tills at which nobody is served now; it may change for half a minute',
    value: ({ tills }) => tills?.free ?? null,
    ofSite: 'sum',
    mqtt: { current: { key: 'free_tills', icon: 'mdi:cash-check', counts: 'tills' } },
    example: 1,
  },
] as const satisfies readonly CurrentMetric[];
