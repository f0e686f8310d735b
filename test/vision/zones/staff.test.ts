import { describe, expect, test } from '@jest/globals';
import type { Moment } from '../../../src/vision/moment.ts';
import { noEvidence, type StaffEvidence, StaffWatch } from '../../../src/vision/zones/staff.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { fc } from '../../support/property.ts';
import { boxAt } from './walk.ts';

const ZONES = { staffZone: { type: 'polygon' as const, points: rectangle(0.5, 0, 1, 1) } };
const at = (timeMs: number): Moment => ({ timeMs, watchedMs: timeMs });
const [INSIDE, OUTSIDE] = [boxAt(0.75), boxAt(0.25)];

/** A frame a second: `s` in the staff zone, `o` outside, `.` not seen. @returns the second of the decision; null: none */
function decidedAfter(
  way: string,
  watch = new StaffWatch(ZONES),
  evidence: StaffEvidence = noEvidence(),
): number | null {
  const decided: number[] = [];
  for (let second = 0; second < way.length; second++) {
    if (way[second] === '.') continue;
    const moments = { now: at(second * 1000), before: at(Math.max(0, second - 1) * 1000) };
    const seen = { ...moments, isInLine: false, hasQueued: false };
    if (watch.see(evidence, way[second] === 's' ? INSIDE : OUTSIDE, seen)) decided.push(second);
  }
  expect(decided.length).toBeLessThanOrEqual(1);
  expect(evidence.isStaff).toBe(decided.length === 1);
  return decided[0] ?? null;
}

const s = (seconds: number): string => 's'.repeat(seconds);
const o = (seconds: number): string => 'o'.repeat(seconds);
const unseen = (seconds: number): string => '.'.repeat(seconds);

describe('the second at which a person becomes staff', () => {
  // The first sighting counts for no time: n sightings in a row are n - 1 seconds.
  test.each<[string, string, number | null]>([
    ['always in the zone: after a minute', s(200), 60],
    ['59 s in the zone are not enough', s(60), null],
    ['half of the first minute in the zone is enough', o(31) + s(30), 60],
    ['less than half of it is not', o(32) + s(30), null],
    ['later, once half of all time was in the zone', o(101) + s(200), 200],
    ['a customer who waits for two minutes and is in the zone for one is not', o(121) + s(60), null],
    ['never in the zone', o(1000), null],
    ['time out of sight does not count as seen', s(31) + unseen(300) + s(30), 360],
    ['nor as time in the staff zone', s(20) + unseen(300) + s(20), null],
    ['first in the zone, then elsewhere: half at the first minute', s(31) + o(30), 60],
    ['in the zone and outside in turns', (o(5) + s(5)).repeat(20), 60],
  ])('%s', (_, way, second) => {
    expect(decidedAfter(way)).toBe(second);
  });

  test('without a staff zone nobody is staff, and there are no counts', () => {
    const watch = new StaffWatch({});
    expect(decidedAfter(s(300), watch)).toBeNull();
    expect(watch.counts([])).toBeNull();
  });

  test('a person who is staff stays staff outside the zone', () => {
    const [watch, evidence] = [new StaffWatch(ZONES), noEvidence()];
    decidedAfter(s(100) + o(5000), watch, evidence);
    expect(
      watch.counts([evidence, noEvidence()].map((staff, trackId) => ({ trackId, staff }))),
    ).toMatchObject({
      ...{ present: 1, people: 1 },
      members: [{ trackId: 0, reason: 'staff_zone', othersServed: null }],
    });
  });

  test('any path: the first sighting at which both conditions hold decides, and no other', () => {
    const way = fc
      .array(fc.tuple(fc.constantFrom(s, o, unseen), fc.integer({ min: 1, max: 60 })), { maxLength: 12 })
      .map((parts) => parts.map(([part, seconds]) => part(seconds)).join(''));
    fc.assert(
      fc.property(way, (text) => {
        const first = text.search(/[so]/);
        let [seen, inside] = [0, 0];
        let expected: number | null = null;
        for (let second = first + 1; first >= 0 && second < text.length; second++) {
          if (text[second] === '.') continue;
          seen += 1;
          if (text[second] === 's') inside += 1;
          if (seen >= 60 && inside * 2 >= seen) expected ??= second;
        }
        expect(decidedAfter(text)).toBe(expected);
      }),
    );
  });
});

describe('the duration of the decisions', () => {
  test('is null before the first decision', () => {
    expect(new StaffWatch(ZONES).counts([])).toEqual({
      present: 0,
      people: 0,
      meanDecisionSeconds: null,
      longestDecisionSeconds: null,
      members: [],
    });
  });

  test('has a mean and a longest value from the first sighting on, also after a move to another node', () => {
    const watch = new StaffWatch(ZONES);
    decidedAfter(unseen(1000) + s(100), watch);
    const moved = new StaffWatch(ZONES, 'person', JSON.parse(JSON.stringify(watch.decisions)));
    decidedAfter(o(31) + unseen(15) + s(200), moved);
    expect(moved.counts([])).toEqual({
      present: 0,
      people: 2,
      meanDecisionSeconds: 67.5,
      longestDecisionSeconds: 75,
      members: [],
    });
  });
});
