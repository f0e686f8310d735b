import { describe, expect, test } from '@jest/globals';
import { figuresOf, type ReplayedVisit, scoreShop } from '../../../../scripts/evaluate/shop/score-shop.ts';
import type { ShopTruth } from '../../../../scripts/evaluate/shop/truth.ts';
import { evaluateSimulated, shopBoxesCommand } from '../../../../scripts/evaluate/simulated/command.ts';
import { simulateShop, watchShop } from '../../../../scripts/evaluate/simulated/simulated-shop.ts';
import { IS_THOROUGH } from '../../../support/thorough.ts';

const SECONDS = 100;
const FRAMES_AT = Array.from({ length: SECONDS * 5 }, (_, frame) => frame / 5);

const truthOf = (...queues: [number, number][]): ShopTruth => ({
  ...{ seconds: SECONDS, zones: {} },
  parameters: { entryThresholdSeconds: 3, exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 },
  persons: queues.map((queue, at) => ({ id: at + 1, queue: [queue], checkout: [] })),
});
const visit = (from: number, to: number): ReplayedVisit => ({
  ...{ trackId: 1, queueEnteredAt: from, queueLeftAt: to, serviceStartedAt: null, serviceEndedAt: null },
  ...{ outcome: 'abandoned', waitSeconds: null, serviceSeconds: null },
});
const figures = (truth: ShopTruth, visits: ReplayedVisit[]) =>
  figuresOf([scoreShop(truth, visits, FRAMES_AT)]);

describe('figures of a shop', () => {
  test('visits as in the script have no errors', () => {
    const truth = truthOf([10, 30], [20, 40]);
    expect(figures(truth, [visit(10, 30), visit(20, 40)])).toEqual({
      ...{ truthVisits: 2, matched: 2, invented: 0, outcomeRight: 2 },
      ...{ matchedPercent: 100, inventedPercent: 0, outcomeRightPercent: 100 },
      ...{ waitErrorSeconds: 0, serviceErrorSeconds: null },
      ...{ queueLengthErrorPercent: 0, queueLengthBiasPercent: 0 },
    });
  });

  test('the error of the wait is the mean over the matched visits of all shops', () => {
    const one = scoreShop(truthOf([10, 30]), [visit(11, 30)], FRAMES_AT);
    const other = scoreShop(truthOf([10, 30], [50, 70]), [visit(10, 33), visit(90, 94)], FRAMES_AT);
    expect(figuresOf([one, other]).waitErrorSeconds).toBe(2);
  });

  test.each([
    [
      'no reported visit',
      [],
      { matchedPercent: 0, inventedPercent: 0, outcomeRightPercent: null },
      [100, -100],
    ],
    [
      'one visit too many',
      [visit(10, 30), visit(60, 80)],
      { matchedPercent: 100, inventedPercent: 100 },
      [100, 100],
    ],
    ['a visit half as long', [visit(10, 20)], { matchedPercent: 100, inventedPercent: 0 }, [50, -50]],
    ['a visit at another time', [visit(50, 70)], { matchedPercent: 0, inventedPercent: 100 }, [200, 0]],
  ])('%s has the expected figures', (_, visits, expected, [error, bias]) => {
    const found = figures(truthOf([10, 30]), visits);
    expect(found).toMatchObject(expected);
    // A frame lies on each edge.
    expect(Math.abs(found.queueLengthErrorPercent! - error!)).toBeLessThan(1);
    expect(Math.abs(found.queueLengthBiasPercent! - bias!)).toBeLessThan(1);
  });

  test('a visit that is hardly longer than the entry threshold is not scored', () => {
    expect(figures(truthOf([10, 13.1]), [])).toMatchObject({ truthVisits: 0 });
    expect(figures(truthOf([10, 13.1]), [visit(10, 13)])).toMatchObject({ truthVisits: 0, invented: 0 });
    expect(figures(truthOf([10, 13.5]), [])).toMatchObject({ truthVisits: 1, matched: 0 });
  });
});

describe('simulated shops', () => {
  const short = { seeds: [1], minutes: 1, fps: 5 } as const;

  test('are the same for the same seed, also with faults', () => {
    const once = () =>
      watchShop(simulateShop({ scenario: 'crowd', detections: 'pets', seed: 3, minutes: 0.5, fps: 5 }));
    expect(once()).toEqual(once());
  });

  test('the classic shop with perfect boxes is "old", all other cases are "new"', async () => {
    const report = await evaluateSimulated({
      ...short,
      scenario: ['classic', 'passers'],
      detections: ['perfect', 'mot17'],
    });
    const visitsOf = (scenario: string, detections: string) =>
      report.cases.find((one) => one.scenario === scenario && one.detections === detections)!.truthVisits;
    expect(report.cases).toHaveLength(4);
    expect(visitsOf('classic', 'perfect')).toBeGreaterThan(0);
    expect(report.old.truthVisits).toBe(visitsOf('classic', 'perfect'));
    expect(report.new.truthVisits).toBe(
      visitsOf('classic', 'mot17') + visitsOf('passers', 'perfect') + visitsOf('passers', 'mot17'),
    );
  });

  test('with perfect boxes nearly every visit of the classic shop is found', async () => {
    const { old } = await evaluateSimulated({
      ...{
        scenario: ['classic'],
        detections: ['perfect'],
        seeds: [1],
        minutes: IS_THOROUGH ? 10 : 5,
        fps: 5,
      },
    });
    expect(old.truthVisits).toBeGreaterThan(15);
    expect(old.matchedPercent).toBeGreaterThanOrEqual(97);
    expect(old.inventedPercent).toBeLessThanOrEqual(3);
    expect(old.queueLengthErrorPercent).toBeLessThan(5);
  });

  test.each([
    ['--scenario', 'classic,market', '"market" is none of classic, passers, groups, uniform, crowd'],
    ['--detections', 'best', '"best" is none of perfect, mot17, pets'],
    ['--seeds', '1,-2', 'whole number'],
  ])('%s %s is refused', async (option, value, message) => {
    const command = shopBoxesCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
    await expect(command.parseAsync([option, value], { from: 'user' })).rejects.toThrow(message);
  });
});
