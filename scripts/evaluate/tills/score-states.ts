import { addUp, ratio } from '../../support/numbers.ts';

/** A service at a till, found or true; seconds. */
export interface FoundService {
  readonly tillId: string;
  readonly from: number;
  readonly to: number;
}

/** What a client sees live. */
export interface LiveTill {
  readonly tillId: string;
  readonly second: number;
  readonly state: string;
}

export interface TrueTills {
  readonly tillIds: readonly string[];
  /** By second, the state of each till; null where nobody labelled it. */
  readonly states: readonly (readonly (string | null)[])[];
  readonly services: readonly FoundService[];
}

/** What happened at tills, and what the product says. */
export interface TillRecord {
  readonly truth: TrueTills;
  /** By till and second. */
  readonly seconds: ReadonlyMap<string, ReadonlyMap<number, string>>;
  readonly live: readonly LiveTill[];
  readonly services: readonly FoundService[];
}

const COUNTS = [
  ...[
    'seconds',
    'right',
    'knowable',
    'knownRight',
    'openRight',
    'changes',
    'known',
    'services',
    'found',
    'atTill',
    'invented',
  ],
] as const;
/** What a record adds to the figures of several. */
export type TillScore = Readonly<Record<(typeof COUNTS)[number], number>>;

/** Nobody can know at the first frame whether a till without a customer is open, and states of so long ago are final. */
const FIRST_SECONDS = 30;
/** An opening or closing must be known live after so long. */
const KNOWN_WITHIN_SECONDS = 30;
/** Who is in a till for less makes no service, as with the entry threshold of a scene. */
const LEAST_SERVICE_SECONDS = 3.4;

export const addStates = (scores: readonly TillScore[]): TillScore =>
  addUp(COUNTS as unknown as (keyof TillScore)[], scores) as TillScore;

/** Null where there is nothing to compare. */
export const stateFigures = (score: TillScore) => ({
  statesRightPercent: ratio(100 * score.right, score.seconds, 2),
  knownRightPercent: ratio(100 * score.knownRight, score.knowable, 2),
  openRightPercent: ratio(100 * score.openRight, score.seconds, 2),
  changes: score.changes,
  knownWithin30Percent: ratio(100 * score.known, score.changes, 2),
  services: score.services,
  foundPercent: ratio(100 * score.found, score.services, 2),
  atTillPercent: ratio(100 * score.atTill, score.services, 2),
  foundAtTillPercent: ratio(100 * score.atTill, score.found, 2),
  inventedPercent: ratio(100 * score.invented, score.services, 2),
});

/** Compares states second by second, openings and closings live, and services by their overlap in time. */
export function scoreTills({ truth, seconds, live, services }: TillRecord): TillScore {
  const isOpen = (state: string | null | undefined) => state === 'serving' || state === 'free';
  let [compared, right, openRight, knowable, knownRight] = [0, 0, 0, 0, 0];
  truth.states.forEach((states, second) => {
    states.forEach((expected, at) => {
      if (expected === null) return;
      const found = seconds.get(truth.tillIds[at]!)?.get(second) ?? 'unknown';
      compared++;
      if (found === expected) right++;
      if (second >= FIRST_SECONDS) {
        knowable++;
        if (found === expected) knownRight++;
      }
      if (isOpen(found) === isOpen(expected) && found !== 'unknown') openRight++;
    });
  });
  return {
    ...{ seconds: compared, right, openRight, knowable, knownRight },
    ...scoreChanges(truth, live, isOpen),
    ...scoreServices(truth.services, services),
  };
}

/** A change that lasts must be seen live within 30 s. */
function scoreChanges(
  { tillIds, states }: TrueTills,
  live: readonly LiveTill[],
  isOpen: (state: string | null | undefined) => boolean,
): { changes: number; known: number } {
  let [changes, known] = [0, 0];
  tillIds.forEach((id, at) => {
    const seen = new Map(live.filter(({ tillId }) => tillId === id).map((one) => [one.second, one.state]));
    for (let second = 1; second < states.length - KNOWN_WITHIN_SECONDS; second++) {
      const [before, now] = [states[second - 1]![at], states[second]![at]];
      if (before == null || now == null || isOpen(before) === isOpen(now)) continue;
      const span = Array.from({ length: KNOWN_WITHIN_SECONDS + 1 }, (_, more) => second + more);
      if (span.some((later) => isOpen(states[later]![at]) !== isOpen(now))) continue;
      changes++;
      if (span.some((later) => seen.has(later) && isOpen(seen.get(later)) === isOpen(now))) known++;
    }
  });
  return { changes, known };
}

const overlap = (a: FoundService, b: FoundService): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

/** A true service is found by one of ours that shares half of the time of both, first at its own till. */
function scoreServices(all: readonly FoundService[], ours: readonly FoundService[]) {
  const truth = all.filter(({ from, to }) => to - from >= LEAST_SERVICE_SECONDS);
  const taken = new Set<FoundService>();
  const match = (service: FoundService, isHere: (other: FoundService) => boolean) => {
    const most = Math.max(1e-9, service.to - service.from);
    const [best] = ours
      .filter((other) => !taken.has(other) && isHere(other))
      .filter((other) => 2 * overlap(service, other) >= Math.max(most, other.to - other.from))
      .sort((a, b) => overlap(service, b) - overlap(service, a));
    if (best) taken.add(best);
    return best;
  };
  const missed = truth.filter((service) => !match(service, ({ tillId }) => tillId === service.tillId));
  const elsewhere = missed.filter((service) => match(service, ({ tillId }) => tillId !== service.tillId));
  const atTill = truth.length - missed.length;
  // Short stays are true as well.
  const short = all.filter(({ from, to }) => to - from < LEAST_SERVICE_SECONDS);
  for (const service of short) match(service, ({ tillId }) => tillId === service.tillId);
  return {
    ...{ services: truth.length, found: atTill + elsewhere.length, atTill },
    invented: ours.length - taken.size,
  };
}
