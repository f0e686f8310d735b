import { describe, expect, test } from '@jest/globals';
import {
  shownBodies,
  type TrueBody,
  TruePeople,
  withTrueFeet,
} from '../../../../scripts/evaluate/footage/limits.ts';
import type { ReplayedVisit, ShopScore } from '../../../../scripts/evaluate/shop/score-shop.ts';
import type { ShopTruth } from '../../../../scripts/evaluate/shop/truth.ts';
import { evaluateSimulated } from '../../../../scripts/evaluate/simulated/command.ts';
import { reasonsOf, ShownPeople } from '../../../../scripts/evaluate/simulated/invented.ts';
import type { Box, Detection } from '../../../../src/vision/types.ts';

const box = (left: number, bottom = 0.8): Box => ({ left, top: 0.2, right: left + 0.1, bottom });
const detection = (left: number, bottom?: number): Detection => ({
  ...{ box: box(left, bottom), score: 0.9, classId: 0 },
});
const body = (id: number, left: number, foot?: number): TrueBody => ({
  ...{ id, box: box(left) },
  ...(foot !== undefined && { foot }),
});

describe('what an evaluation knows better', () => {
  test('a detection shows the person whom it overlaps most, and a second box shows nobody', () => {
    const shown = shownBodies(
      [detection(0.1), detection(0.11), detection(0.6)],
      [body(7, 0.1), body(8, 0.9)],
    );
    expect(shown.map((one) => one?.id ?? null)).toEqual([7, null, null]);
  });

  test('with true feet a box ends where the feet are, and boxes of nobody stay', () => {
    const found = withTrueFeet([detection(0.1, 0.6), detection(0.5)], [body(7, 0.1, 0.95)]);
    expect(found.map(({ box: { bottom } }) => bottom)).toEqual([0.95, 0.8]);
  });

  test('with true identities two people who swap places stay themselves', () => {
    const bodies = [
      [body(7, 0.1), body(8, 0.5)],
      [body(8, 0.1), body(7, 0.5)],
    ];
    const people = new TruePeople((timeMs) => bodies[timeMs / 200] ?? [], 5_000);
    const seen = [0, 200].map((timeMs) =>
      people.update([detection(0.1), detection(0.5)], { timeMs, watchedMs: timeMs }, 1),
    );
    const leftmost = seen.map(({ tracks }) => tracks.find(({ box: { left } }) => left === 0.1)!.id);
    expect(leftmost).toEqual([7, 8]);
    expect(people.personOf(7)).not.toBe(people.personOf(8));
  });
});

describe('what invented visits are', () => {
  const truth: ShopTruth = {
    ...{ seconds: 100, zones: {} },
    parameters: { entryThresholdSeconds: 3, exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 },
    persons: [{ id: 7, queue: [[10, 40]], checkout: [] }],
  };
  const visit = (trackId: number, from: number, to: number): ReplayedVisit => ({
    ...{ trackId, queueEnteredAt: from, queueLeftAt: to, serviceStartedAt: null, serviceEndedAt: null },
    ...{ outcome: 'lost', waitSeconds: null, serviceSeconds: null },
  });
  const shown = new ShownPeople();
  shown.note(
    [
      { id: 1, box: box(0.1) },
      { id: 2, box: box(0.1) },
      { id: 3, box: box(0.8) },
    ],
    [body(7, 0.1)],
  );
  const reasons = (invented: readonly ReplayedVisit[], visits = invented) =>
    reasonsOf({ invented } as unknown as ShopScore, truth, visits, shown);

  test.each<[string, ReplayedVisit[], object]>([
    ['a part of a true visit', [visit(1, 30, 40)], { broken: 1 }],
    ['a second identity of a person', [visit(1, 10, 40), visit(2, 20, 30)], { twice: 2 }],
    ['a person who is in no zone', [visit(1, 60, 70)], { elsewhere: 1 }],
    ['a box of nobody', [visit(3, 20, 30)], { nobody: 1 }],
    ['an unknown track', [visit(9, 20, 30)], { nobody: 1 }],
  ])('%s', (_, invented, expected) => {
    expect(reasons(invented)).toEqual({ broken: 0, twice: 0, elsewhere: 0, nobody: 0, ...expected });
  });

  test('all invented visits of a shop have a reason, with any limit', async () => {
    const shop = { scenario: ['crowd'], detections: ['pets'], seeds: [1], minutes: 0.5, fps: 5 } as const;
    for (const limit of [undefined, 'feet', 'identities', 'misses'] as const) {
      const [one] = (await evaluateSimulated({ ...shop, ...(limit && { limit }) })).cases;
      const sum = Object.values(one!.inventedBy).reduce((total, count) => total + count, 0);
      expect(sum).toBe(one!.invented);
    }
  });
});
