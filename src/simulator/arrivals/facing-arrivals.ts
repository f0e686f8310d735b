import { EYE_LEVEL, type Ground } from '../camera.ts';
import type { Random } from '../random.ts';
import type { ArrivalSource, Intent } from './arrivals.ts';

const GAP_SECONDS = [2.8, 6.8] as const;
const KINDS = ['patient', 'patient', 'patient', 'patient', 'impatient', 'near', 'behind'] as const;

/** People who join the line in front of an eye-level camera, and people who cross its picture before or behind the line. */
export function facingArrivals(random: Random): ArrivalSource {
  let atMs = 0;
  return {
    next() {
      atMs += 1000 * random.between(...GAP_SECONDS);
      return { atMs, ...someone(random) };
    },
  };
}

function someone(random: Random): { from: Ground; intent: Intent } {
  const kind = random.pick(KINDS);
  if (kind === 'near') return across(random, random.between(2.3, 2.6));
  if (kind === 'behind') return across(random, random.between(9.8, 11.5));
  const patienceSeconds = kind === 'impatient' ? random.between(10, 26) : Number.POSITIVE_INFINITY;
  return {
    from: EYE_LEVEL.beyondEdge(-1, random.between(8.5, 11)),
    intent: { kind: 'buy', patienceSeconds },
  };
}

function across(random: Random, z: number): { from: Ground; intent: Intent } {
  const [from, to] = random.chance(0.5) ? ([-1, 1] as const) : ([1, -1] as const);
  return {
    from: EYE_LEVEL.beyondEdge(from, z),
    intent: { kind: 'pass', route: [EYE_LEVEL.beyondEdge(to, z)] },
  };
}
