import type { Arrival, ArrivalSource } from './arrivals/arrivals.ts';
import type { Ground } from './camera.ts';
import type { Random } from './random.ts';
import type { Body } from './walker.ts';

const BUYERS_IN_GROUPS = 0.4;
const PASSERS_IN_GROUPS = 0.5;
const WAITS_TOGETHER = 0.6;

/** The same arrivals, many of them with companions. */
export function inGroups(source: ArrivalSource, random: Random): ArrivalSource {
  return {
    next(): Arrival {
      const arrival = source.next();
      const isGroup = random.chance(arrival.intent.kind === 'buy' ? BUYERS_IN_GROUPS : PASSERS_IN_GROUPS);
      const companions = random.pick([1, 1, 1, 2, 2, 3]);
      const waitsTogether = random.chance(WAITS_TOGETHER);
      return isGroup ? { ...arrival, company: { companions, waitsTogether } } : arrival;
    },
  };
}

/** Where somebody stands whom another leads; offsets in metres. */
export interface Companion {
  /** To the right of the leader, and ahead. */
  readonly walks: readonly [right: number, ahead: number];
  /** From a position in the line, within the queue zone. */
  readonly inLine: Ground;
  /** From a person in service, within the checkout zone. */
  readonly atCounter: Ground;
  /** Outside the zones. */
  readonly aside: Ground;
}

export const COMPANIONS: readonly Companion[] = [
  {
    ...{ walks: [0.6, 0], inLine: { x: -0.5, z: -0.16 } },
    ...{ atCounter: { x: -0.52, z: 0.15 }, aside: { x: -2, z: 0.1 } },
  },
  {
    ...{ walks: [-0.6, 0], inLine: { x: 0.48, z: 0.22 } },
    ...{ atCounter: { x: -0.15, z: 0.62 }, aside: { x: -2.5, z: 0.6 } },
  },
  {
    ...{ walks: [0.3, -0.75], inLine: { x: -0.48, z: 0.42 } },
    ...{ atCounter: { x: -0.66, z: 0.7 }, aside: { x: -2.6, z: -0.2 } },
  },
];

export const plus = (at: Ground, offset: Ground): Ground => ({ x: at.x + offset.x, z: at.z + offset.z });

/** Where a companion walks: beside or behind the position of the leader in a moment. */
export function inFormation(leader: Body, { walks }: Companion): Ground {
  const [right, ahead] = walks;
  const [sin, cos] = [Math.sin(leader.heading), Math.cos(leader.heading)];
  const soon = 0.4;
  return {
    x: leader.x + soon * leader.velocityX + right * cos + ahead * sin,
    z: leader.z + soon * leader.velocityZ - right * sin + ahead * cos,
  };
}
