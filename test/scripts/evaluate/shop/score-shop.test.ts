import { describe, expect, test } from '@jest/globals';
import { reportOf } from '../../../../scripts/evaluate/shop/command.ts';
import { type ReplayedVisit, scoreShop } from '../../../../scripts/evaluate/shop/score-shop.ts';
import { expectedVisits, type ShopTruth, stays } from '../../../../scripts/evaluate/shop/truth.ts';
import { assign } from '../../../../src/cameras/scenes/checks/times/assign.ts';

const VIDEO_SECONDS = 200;

type Intervals = [number, number | null][];

function truthOf(...persons: { queue?: Intervals; checkout?: Intervals }[]): ShopTruth {
  return {
    seconds: VIDEO_SECONDS,
    zones: {},
    parameters: { entryThresholdSeconds: 3, exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 },
    persons: persons.map(({ queue = [], checkout = [] }, at) => ({ id: at + 1, queue, checkout })),
  };
}

let trackId = 0;
function reported(
  queue: [number, number | null] | null,
  service: [number, number | null] | null,
  outcome: string | null = service ? 'completed' : 'abandoned',
): ReplayedVisit {
  const length = (start?: number | null, end?: number | null) =>
    start == null || end == null ? null : end - start;
  return {
    trackId: ++trackId,
    queueEnteredAt: queue?.[0] ?? null,
    queueLeftAt: queue?.[1] ?? null,
    serviceStartedAt: service?.[0] ?? null,
    serviceEndedAt: service?.[1] ?? null,
    outcome,
    waitSeconds: length(queue?.[0], service?.[0]),
    serviceSeconds: length(service?.[0], service?.[1]),
  };
}

const TRUTH = truthOf(
  { queue: [[10, 40]], checkout: [[41, 55]] },
  { queue: [[20, 35]] },
  { queue: [[30, 32]] },
  { queue: [[60, 80]], checkout: [[81, 95]] },
);
const PERFECT = [reported([10, 40], [41, 55]), reported([20, 35], null), reported([60, 80], [81, 95])];

const reportFor = (truth: ShopTruth, visits: ReplayedVisit[]) => {
  const {
    queueLengthErrorPercent: _,
    queueLengthBiasPercent: __,
    ...report
  } = reportOf(scoreShop(truth, visits, []));
  return report;
};

describe('expected visits', () => {
  test('queue and checkout become a completed visit, a queue alone an abandoned visit, and a short stay is no visit', () => {
    expect(expectedVisits(TRUTH)).toEqual([
      {
        personId: 1,
        start: 10,
        end: 55,
        outcome: 'completed',
        waitSeconds: 31,
        serviceSeconds: 14,
        decided: true,
      },
      {
        personId: 2,
        start: 20,
        end: 35,
        outcome: 'abandoned',
        waitSeconds: 15,
        serviceSeconds: null,
        decided: true,
      },
      {
        personId: 4,
        start: 60,
        end: 95,
        outcome: 'completed',
        waitSeconds: 21,
        serviceSeconds: 14,
        decided: true,
      },
    ]);
  });

  test('an absence shorter than the exit threshold does not end a stay that has begun', () => {
    const thresholds = { entry: 3, exit: 1 };
    expect(
      stays(
        [
          [0, 5],
          [5.8, 9],
        ],
        thresholds,
      ),
    ).toEqual([[0, 9]]);
    expect(
      stays(
        [
          [0, 5],
          [6, 9],
        ],
        thresholds,
      ),
    ).toEqual([
      [0, 5],
      [6, 9],
    ]);
    expect(
      stays(
        [
          [0, 2],
          [2.5, 4],
        ],
        thresholds,
      ),
    ).toEqual([]);
  });

  test('the checkout has priority where zones overlap', () => {
    const [visit] = expectedVisits(truthOf({ queue: [[10, 45]], checkout: [[40, 60]] }));
    expect(visit).toMatchObject({ waitSeconds: 30, serviceSeconds: 20, outcome: 'completed' });
  });

  test('a checkout that is reached after exit threshold plus maximum age is another visit', () => {
    const visits = expectedVisits(truthOf({ queue: [[10, 20]], checkout: [[27, 40]] }));
    expect(visits.map((v) => [v.outcome, v.waitSeconds, v.serviceSeconds])).toEqual([
      ['abandoned', 10, null],
      ['completed', null, 13],
    ]);
  });
});

describe('the score of a shop', () => {
  test('visits as in the script have no errors', () => {
    expect(reportFor(TRUTH, PERFECT)).toEqual({
      truthVisits: 3,
      matched: 3,
      missed: 0,
      invented: 0,
      outcomeRight: 3,
      waitErrorSeconds: 0,
      serviceErrorSeconds: 0,
    });
  });

  test('visits that start half a second late are matched, and the errors are half a second', () => {
    const late = [
      reported([10.5, 40], [41, 55.5]),
      reported([20.5, 35], null),
      reported([60.5, 80], [81, 95.5]),
    ];
    expect(reportFor(TRUTH, late)).toMatchObject({
      matched: 3,
      waitErrorSeconds: 0.5,
      serviceErrorSeconds: 0.5,
    });
  });

  test('of a visit in pieces the longest piece is matched and the others are invented', () => {
    const pieces = [reported([10, 16], null), reported([17, 40], [41, 55]), ...PERFECT.slice(1)];
    expect(reportFor(TRUTH, pieces)).toMatchObject({ matched: 3, missed: 0, invented: 1 });
  });

  test('of a visit cut in halves no piece covers half, so all pieces are invented', () => {
    const pieces = [reported([10, 32], null, 'lost'), reported([33, 40], [41, 55]), ...PERFECT.slice(1)];
    expect(reportFor(TRUTH, pieces)).toMatchObject({ matched: 2, missed: 1, invented: 2 });
  });

  test('a wrong outcome is counted', () => {
    const swapped = [PERFECT[0]!, reported([20, 35], null, 'lost'), PERFECT[2]!];
    expect(reportFor(TRUTH, swapped)).toMatchObject({ matched: 3, outcomeRight: 2 });
  });

  test('without reported visits all are missed, and without scripted visits all are invented', () => {
    expect(reportFor(TRUTH, [])).toMatchObject({ matched: 0, missed: 3, waitErrorSeconds: null });
    expect(reportFor(truthOf(), PERFECT)).toMatchObject({ truthVisits: 0, invented: 3 });
  });

  test('a visit that is open at the end of the video counts neither as matched nor as missed or invented', () => {
    const truth = truthOf({ queue: [[10, 40]], checkout: [[41, 55]] }, { queue: [[180, null]] });
    const open = [PERFECT[0]!, reported([180, null], null, null)];
    expect(reportFor(truth, open)).toMatchObject({ truthVisits: 1, matched: 1, missed: 0, invented: 0 });
    const pieces = [PERFECT[0]!, reported([180, 197], null, 'lost'), reported([198, 200], null, 'lost')];
    expect(reportFor(truth, pieces)).toMatchObject({ matched: 1, missed: 0, invented: 0 });
    expect(reportFor(truth, open.slice(0, 1))).toMatchObject({ truthVisits: 1, missed: 0 });
  });
});

describe('assignment', () => {
  test('maximises the sum, not the first pair', () => {
    expect(
      assign(
        [
          [0.9, 0.8],
          [0.85, 0],
        ],
        2,
      ),
    ).toEqual([1, 0]);
  });

  test('does not assign pairs without gain, in matrices of any shape', () => {
    expect(
      assign(
        [
          [0, 0, 1],
          [0, 0, 2],
        ],
        3,
      ),
    ).toEqual([null, 2]);
    expect(assign([[1], [3], [2]], 1)).toEqual([null, 0, null]);
    expect(assign([], 2)).toEqual([]);
  });
});
