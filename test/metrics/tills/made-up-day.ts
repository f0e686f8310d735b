import { createRandom, type Random } from '../../../src/simulator/random.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import type { Visit } from '../../../src/vision/types.ts';

export const IDS = ['a', 'b', 'c'];
export const START = Date.UTC(2026, 10, 20);

function madeUpVisit(random: Random, number: number): Visit {
  const enteredMs = START + Math.round(random.between(0, 80_000_000));
  const startedMs = enteredMs + Math.round(random.between(0, 120_000));
  const outcome = random.pick(['completed', 'completed', 'completed', 'abandoned', 'lost'] as const);
  const isServed = outcome !== 'abandoned';
  const stays = isServed ? random.pick([0, 1, 1, 1, 2]) : 0;
  let atMs = startedMs;
  const services = Array.from({ length: stays }, () => {
    const startedAtMs = atMs + Math.round(random.between(0, 5_000));
    atMs = startedAtMs + Math.round(random.between(3_000, 90_000));
    return { tillId: random.pick(IDS), startedAtMs, endedAtMs: atMs };
  });
  return {
    ...{ id: number, trackId: number, state: 'closed', outcome, services },
    ...{ queueEnteredAtMs: random.chance(0.8) ? enteredMs : null, queueLeftAtMs: startedMs },
    serviceStartedAtMs: isServed ? startedMs : null,
    serviceEndedAtMs: isServed ? atMs : null,
    ...{ arrivalDecidedAtMs: enteredMs + 3_000, outcomeDecidedAtMs: atMs + 1_000 },
  };
}

/** Seconds of a day, a tenth of them without frames, whose waiting follows from the visits. */
function madeUpSeconds(random: Random, visits: readonly Visit[]): TillSecond[] {
  const waiting = new Uint8Array(90_000);
  for (const { queueEnteredAtMs, queueLeftAtMs } of visits) {
    if (queueEnteredAtMs === null) continue;
    for (
      let at = Math.ceil((queueEnteredAtMs - START) / 1000 - 0.5);
      START + at * 1000 + 500 < queueLeftAtMs!;
      at++
    )
      waiting[at] = 1;
  }
  let states: ('serving' | 'free' | 'closed')[] = IDS.map(() => 'closed');
  return Array.from({ length: 86_400 }, (_, at): TillSecond => {
    states = states.map((state) =>
      random.chance(0.02) ? random.pick(['serving', 'free', 'closed'] as const) : state,
    );
    return {
      timeMs: START + at * 1000,
      states,
      isWaitedFor: IDS.map((_, till) => till < 2 && waiting[at] === 1),
    };
  }).filter(() => !random.chance(0.1));
}

/** A day of three tills, the third of which the line does not feed. */
export function madeUpDay(seed: number, people: number): { visits: Visit[]; seconds: TillSecond[] } {
  const random = createRandom(seed, 99);
  const visits = Array.from({ length: people }, (_, at) => madeUpVisit(random, at + 1));
  return { visits, seconds: madeUpSeconds(random, visits) };
}
