import { describe, expect, test } from '@jest/globals';
import { addStates, scoreTills, stateFigures } from '../../../../scripts/evaluate/tills/score-states.ts';
import { watchTillShop } from '../../../../scripts/evaluate/tills/simulated-tills.ts';
import { TILL_SCENARIOS } from '../../../../src/simulator/scenario.ts';
import { inside } from '../../../../src/simulator/shop-log.ts';
import { TillLog } from '../../../../src/simulator/tills/till-log.ts';
import { tillShopOf } from '../../../../src/simulator/tills/till-shop.ts';
import { TillWorld } from '../../../../src/simulator/tills/till-world.ts';
import { sceneConfigSchema } from '../../../../src/vision/scene-config.ts';

test('the zones of every shop with tills are a scene that the API takes', () => {
  for (const scenario of TILL_SCENARIOS)
    for (const zones of tillShopOf(scenario).scenes)
      expect(sceneConfigSchema.safeParse({ zones }).error?.issues).toBeUndefined();
});

test('a seed gives one truth, in which tills open and close, serve and are idle', () => {
  const truthOf = (seed: number, seconds = 300) => {
    const [world, log] = [new TillWorld(seed, 'tills4'), new TillLog()];
    for (let timeMs = 50; timeMs <= 1000 * seconds; timeMs += 50) {
      world.advanceTo(timeMs);
      log.observe(world);
    }
    return log.truth();
  };
  const truth = truthOf(5);
  const begun = (seed: number) => truthOf(seed, 60).states;
  expect(begun(5)).toEqual(truth.states.slice(0, 60));
  expect(begun(6)).not.toEqual(begun(5));
  expect(new Set(truth.states.flat())).toEqual(new Set(['serving', 'free', 'closed']));
  expect(truth.states).toHaveLength(300);
  expect(truth.services.length).toBeGreaterThan(15);
});

test('without a line people step up to a till, and some turn away from one that is closed', () => {
  const [world, log] = [new TillWorld(5, 'walkup4'), new TillLog()];
  const { tills } = world.shop.scenes[0]!;
  const turnedAway = new Set<number>();
  for (let timeMs = 50; timeMs <= 300_000; timeMs += 50) {
    world.advanceTo(timeMs);
    log.observe(world);
    for (const person of world.people) {
      const [x, y] = world.place.view.project(person);
      const at = tills!.findIndex((till) => inside(till, x, y));
      if (!person.isStaff && world.states[at] === 'closed') turnedAway.add(person.id);
    }
  }
  const { services } = log.truth();
  expect(world.place.zones.queueZone).toBeUndefined();
  expect(services.length).toBeGreaterThan(15);
  expect(services.filter(({ person }) => turnedAway.has(person))).not.toEqual([]);
});

test.each(['tills2', 'lines2', 'walkup2'] as const)(
  'the product knows states and services of %s',
  (scenario) => {
    const figures = stateFigures(
      scoreTills(watchTillShop({ scenario, boxes: 'mot17', seed: 21, minutes: 4, fps: 5 })),
    );
    expect(figures.statesRightPercent).toBeGreaterThanOrEqual(97);
    expect(figures.atTillPercent).toBeGreaterThanOrEqual(95);
  },
);

test('with true identities and whole boxes every service is found, and none is invented', () => {
  const shop = { scenario: 'tills1', boxes: 'perfect', seed: 21, minutes: 2, fps: 5 } as const;
  const figures = stateFigures(scoreTills(watchTillShop({ ...shop, limit: 'identities' })));
  expect(figures.services).toBeGreaterThan(0);
  expect(figures).toMatchObject({ atTillPercent: 100, inventedPercent: 0 });
});

describe('the score', () => {
  const service = (tillId: string, from: number, to: number) => ({ tillId, from, to });
  const record = {
    truth: {
      tillIds: ['a'],
      states: [['serving'], ['free'], [null], ['closed']],
      services: [service('a', 0, 10), service('a', 20, 30), service('a', 40, 50), service('a', 60, 62)],
    },
    seconds: new Map([
      [
        'a',
        new Map([
          [0, 'serving'],
          [1, 'serving'],
          [2, 'free'],
        ]),
      ],
    ]),
    live: [],
    services: [service('a', 1, 10), service('b', 20, 30), service('a', 70, 80), service('a', 60, 62)],
  } as const;

  test('counts states by the second, and services by their overlap, first at their own till', () => {
    expect(stateFigures(scoreTills(record))).toMatchObject({
      ...{
        statesRightPercent: 33.33,
        knownRightPercent: null,
        openRightPercent: 66.67,
        services: 3,
        foundPercent: 66.67,
      },
      ...{ atTillPercent: 33.33, foundAtTillPercent: 50, inventedPercent: 33.33 },
    });
  });

  test('of nothing is null', () => {
    expect(stateFigures(addStates([]))).toMatchObject({
      statesRightPercent: null,
      atTillPercent: null,
      services: 0,
    });
  });

  test('an opening is known where the live state says so within half a minute', () => {
    const states = Array.from({ length: 100 }, (_, second) => [second < 20 ? 'closed' : 'free']);
    const liveFrom = (at: number) =>
      states.map((_, second) => ({ tillId: 'a', second, state: second < at ? 'closed' : 'free' }));
    const known = (at: number) =>
      scoreTills({ ...record, truth: { ...record.truth, states }, live: liveFrom(at) }).known;
    expect([known(21), known(50), known(51)]).toEqual([1, 1, 0]);
  });
});
