import { describe, expect, test } from '@jest/globals';
import type { Label } from '../../../../scripts/evaluate/visits/label-file.ts';
import { scoreLabels } from '../../../../scripts/evaluate/visits/score-labels.ts';
import type { ReplayedVisit } from '../../../../scripts/replay/replay-record.ts';
import { assign } from '../../../../src/cameras/scenes/checks/times/assign.ts';
import {
  matchSpans,
  type Span,
  temporalIou,
} from '../../../../src/cameras/scenes/checks/times/match-spans.ts';
import { fc } from '../../../support/property.ts';

const SECONDS = 200;
const RULES = { hasCheckout: true, entry: 3, handOver: 6 };
type Times = readonly [from: number, to: number | null] | null;

const stay = (times: Times) => times && { from: times[0], to: times[1] };

const label = (person: string, queue: Times, service: Times = null): Label => ({
  ...{ line: 0, person, queue: stay(queue), service: stay(service) },
});

let trackId = 0;
function visit(queue: Times, service: Times, outcome: ReplayedVisit['outcome']): ReplayedVisit {
  const until = service?.[0] ?? queue?.[1] ?? null;
  return {
    trackId: ++trackId,
    ...{ queueEnteredAt: queue?.[0] ?? null, queueLeftAt: queue?.[1] ?? null },
    ...{ serviceStartedAt: service?.[0] ?? null, serviceEndedAt: service?.[1] ?? null },
    outcome,
    waitSeconds: queue && until !== null && (outcome !== 'lost' || service) ? until - queue[0] : null,
    serviceSeconds: service && outcome !== 'lost' ? service[1]! - service[0] : null,
  };
}

function verdict(labels: readonly Label[], visits: readonly ReplayedVisit[], rules = RULES) {
  const timesMs = Array.from({ length: SECONDS }, (_, at) => at * 1000);
  return scoreLabels(labels, { seconds: SECONDS, visits, timesMs }, rules);
}

const LABELS = [
  label('ann', [10, 40], [41, 55]),
  label('ben', [20, 35]),
  label('cid', null, [60, 80]),
  label('dan', [150, null]),
];
const RIGHT = [
  visit([10, 40], [41, 55], 'completed'),
  visit([20, 35], null, 'abandoned'),
  visit(null, [60, 80], 'completed'),
  visit([150, 199.8], null, 'lost'),
];

describe('visits compared with labels', () => {
  test('visits as in the labels have no errors', () => {
    expect(verdict(LABELS, RIGHT)).toMatchObject({
      queue: { truthVisits: 3, ourVisits: 3, f1: 1 },
      service: { truthVisits: 2, ourVisits: 2, f1: 1, occupancyErrorPercent: 0 },
      // Of dan, who is still there, nobody knows how long they wait.
      wait: { trueMeanSeconds: 23, ourMeanSeconds: 23, errorSeconds: 0 },
      serviceTime: { trueMeanSeconds: 17, ourMeanSeconds: 17, errorSeconds: 0 },
      outcomes: { compared: 3, right: 3 },
      leftOut: 0,
      ...{ missed: [], invented: [], wrongOutcomes: [] },
    });
  });

  test('errors are the means over the matched visits', () => {
    const late = [visit([12, 40], [43, 58], 'completed'), visit([22, 35], null, 'abandoned')];
    expect(verdict(LABELS, late)).toMatchObject({
      wait: { trueMeanSeconds: 23, ourMeanSeconds: 22, errorSeconds: 1 },
      serviceTime: { trueMeanSeconds: 17, ourMeanSeconds: 15, errorSeconds: 1 },
    });
  });

  test('missed and invented visits are listed with their times, the longest first', () => {
    const found = verdict(LABELS, [
      visit([10, 20], null, 'lost'),
      visit([21, 40], [41, 55], 'completed'),
      visit([90, 140], null, 'abandoned'),
    ]);
    expect(found.queue).toMatchObject({ truthVisits: 3, ourVisits: 3, f1: 0.3333 });
    // The longer piece of ann's visit overlaps that of ben still better.
    expect(found.missed).toEqual([
      { zone: 'queue', person: 'dan', from: 150, to: 200, bestIou: 0 },
      { zone: 'queue', person: 'ann', from: 10, to: 40, bestIou: 0.63 },
      { zone: 'checkout', person: 'cid', from: 60, to: 80, bestIou: 0 },
    ]);
    expect(found.invented).toMatchObject([
      { zone: 'queue', from: 90, to: 140, outcome: 'abandoned' },
      { zone: 'queue', from: 10, to: 20, outcome: 'lost' },
    ]);
  });

  test('a visit that was reported in two halves is missed, with its best overlap', () => {
    const halves = [visit([10, 24], null, 'lost'), visit([25, 40], null, 'lost')];
    const found = verdict([label('ann', [10, 41])], halves);
    expect(found.missed).toEqual([{ zone: 'queue', person: 'ann', from: 10, to: 41, bestIou: 0.48 }]);
    expect(found.invented).toHaveLength(2);
  });

  test('a wrong outcome is listed with the true and the reported one', () => {
    const wrong = [visit([10, 40], null, 'abandoned'), visit([20, 35], null, 'lost')];
    const found = verdict(LABELS.slice(0, 2), wrong);
    expect(found.outcomes).toEqual({ compared: 2, right: 0 });
    expect(found.wrongOutcomes).toMatchObject([
      { person: 'ann', zone: 'queue', from: 10, to: 55, expected: 'completed', reported: 'abandoned' },
      { person: 'ben', from: 20, to: 35, expected: 'abandoned', reported: 'lost' },
    ]);
  });

  test('outcomes are compared only for visits that the video shows to their end', () => {
    const late = [
      label('ann', [150, 195]),
      label('ben', [140, 160], [161, 196]),
      label('cid', null, [150, null]),
    ];
    const ours = [
      visit([150, 195], null, 'lost'),
      visit([140, 160], [161, 196], 'lost'),
      visit(null, [150, 200], 'lost'),
    ];
    expect(verdict(late, ours)).toMatchObject({
      outcomes: { compared: 0 },
      queue: { f1: 1 },
      service: { f1: 1 },
    });
    // Ben's wait ended, so it counts.
    expect(verdict(late, ours).wait).toEqual({ trueMeanSeconds: 21, ourMeanSeconds: 21, errorSeconds: 0 });
  });

  test('without a checkout zone everybody who leaves is completed', () => {
    const found = verdict([label('ben', [20, 35])], [visit([20, 35], null, 'completed')], {
      ...RULES,
      hasCheckout: false,
    });
    expect(found.outcomes).toEqual({ compared: 1, right: 1 });
  });

  test('stays shorter than the entry threshold are left out and counted', () => {
    const brief = [label('ann', [10, 12]), label('ben', [20, 35], [36, 38]), label('cid', [198, null])];
    const found = verdict(brief, [visit([20, 35], null, 'abandoned')]);
    expect(found).toMatchObject({
      leftOut: 3,
      queue: { truthVisits: 1, f1: 1 },
      service: { truthVisits: 0 },
    });
    expect(found.outcomes).toEqual({ compared: 1, right: 1 });
  });

  test('a label that ends shortly after the video ends with it', () => {
    const found = verdict([label('ann', [150, 200.9])], [visit([150, 200], null, 'lost')]);
    expect(found.queue).toMatchObject({ f1: 1, meanDwellTrueSeconds: 50, occupancyErrorPercent: 0 });
  });

  test('figures of a zone without labels are null', () => {
    const found = verdict([label('ann', [10, 40])], []);
    expect(found.service).toMatchObject({ f1: null, precision: null, occupancyErrorPercent: null });
    expect(found).toMatchObject({
      queue: { f1: 0, precision: null, recall: 0 },
      wait: { ourMeanSeconds: null },
    });
  });
});

describe('matching', () => {
  const span = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 40 }))
    .map(([from, length]): Span => [from, from + length]);

  test('matching in groups has the same sum of overlaps as matching all at once', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), fc.array(span, { maxLength: 12 }), (truth, ours) => {
        const gains = truth.map((a) => ours.map((b) => (temporalIou(a, b) < 0.5 ? 0 : temporalIou(a, b))));
        const total = (partners: readonly (number | null)[]) =>
          partners.reduce<number>(
            (sum, column, row) => sum + (column === null ? 0 : gains[row]![column]!),
            0,
          );
        const found = matchSpans(truth, ours);
        const taken = found.filter((column) => column !== null);
        expect(new Set(taken).size).toBe(taken.length);
        expect(found.every((column, row) => column === null || gains[row]![column]! >= 0.5)).toBe(true);
        expect(total(found)).toBeCloseTo(total(assign(gains, ours.length)), 9);
      }),
    );
  });
});
