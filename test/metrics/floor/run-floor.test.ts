import { describe, expect, test } from '@jest/globals';
import { addEncoded, decodeCells } from '../../../src/metrics/floor/encode-cells.ts';
import { FloorSums } from '../../../src/metrics/floor/floor-sums.ts';
import { type FloorHour, RunFloor } from '../../../src/metrics/floor/run-floor.ts';
import type { FloorChange } from '../../../src/vision/floor/floor-watch.ts';
import { FLOOR_CELLS } from '../../../src/vision/floor/grid.ts';
import { fc } from '../../support/property.ts';

const HOUR_MS = 3_600_000;
const change = (hour: number, seconds: number, coveredSeconds = 2): FloorChange => ({
  hourMs: hour * HOUR_MS,
  coveredMs: coveredSeconds * 1000,
  cells: [7, seconds * 1000, 0, 0],
});
const secondsOf = ({ cells }: FloorHour) => decodeCells(cells).ms[7]! / 1000;
const shown = (hours: readonly FloorHour[]) =>
  hours.map((hour) => [hour.hourMs / HOUR_MS, hour.coveredMs / 1000, secondsOf(hour)]);

describe('the part of the picture that was analysed', () => {
  const HALF = { left: 0, top: 0.5, width: 1, height: 0.5 };
  const analysedOf = ({ cells }: FloorHour) => {
    const analysed = new Uint8Array(FLOOR_CELLS);
    addEncoded(cells, new FloorSums(), analysed);
    return [analysed[7], analysed.at(-1), analysed.reduce((sum, cell) => sum + cell, 0)];
  };

  test('of an hour is that of most of the time, also over two runs; the sums of all cells are kept', () => {
    const floor = new RunFloor();
    floor.add([change(1, 2)]);
    expect(floor.take(null).map(analysedOf)).toEqual([[1, 1, FLOOR_CELLS]]);
    floor.region = HALF;
    floor.add([change(1, 0, 4), change(2, 0, 2)]);
    const hours = floor.take(null);
    expect(hours.map(analysedOf)).toEqual([
      [0, 1, FLOOR_CELLS / 2],
      [0, 1, FLOOR_CELLS / 2],
    ]);
    expect(shown(hours)[0]).toEqual([1, 6, 2]);
    const next = new RunFloor(hours);
    next.add([change(1, 2, 5)]);
    expect(next.take(null).map(analysedOf)).toEqual([[0, 1, FLOOR_CELLS / 2]]);
    next.add([change(1, 2, 1)]);
    expect(next.take(null).map(analysedOf)[0]).toEqual([1, 1, FLOOR_CELLS]);
  });
});

describe('the floor map of a run', () => {
  test('is stored whole every 15 seconds, and at the end', () => {
    const floor = new RunFloor();
    floor.add([change(1, 2)]);
    expect(shown(floor.take(0))).toEqual([[1, 2, 2]]);
    floor.stored();
    floor.add([change(1, 2)]);
    expect(floor.take(14_999)).toEqual([]);
    expect(shown(floor.take(15_000))).toEqual([[1, 4, 4]]);
    floor.stored();
    floor.add([change(1, 1)]);
    expect(shown(floor.take(null))).toEqual([[1, 6, 5]]);
    floor.stored();
    expect(floor.take(null)).toEqual([]);
  });

  test('is taken again at once after a write that failed, with what was added meanwhile', () => {
    const floor = new RunFloor();
    floor.add([change(1, 2)]);
    floor.take(0);
    floor.add([change(1, 2), change(2, 3)]);
    expect(shown(floor.take(200))).toEqual([
      [1, 4, 4],
      [2, 2, 3],
    ]);
  });

  test('what was added during a write is stored by the next one', () => {
    const floor = new RunFloor();
    floor.add([change(1, 2)]);
    floor.take(0);
    floor.add([change(1, 2)]);
    floor.stored();
    expect(shown(floor.take(15_000))).toEqual([[1, 4, 4]]);
  });

  test('continues the stored hour, and takes back what staff added to the hour before', () => {
    const first = new RunFloor();
    first.add([change(1, 50), change(2, 4)]);
    const next = new RunFloor(first.take(null));
    expect(next.take(null)).toEqual([]);
    next.add([change(1, -20, 0), change(2, 1)]);
    expect(shown(next.take(null))).toEqual([
      [1, 2, 30],
      [2, 4, 5],
    ]);
  });

  test('leaves out what belongs to an hour that is not kept any more', () => {
    const floor = new RunFloor();
    floor.add([change(1, 2), change(2, 2), change(3, 2)]);
    floor.take(0);
    floor.stored();
    floor.add([change(1, -2, 0), change(2, -2, 0)]);
    expect(shown(floor.take(null))).toEqual([[2, 2, 0]]);
  });

  test('keeps two days while nothing can be stored', () => {
    const floor = new RunFloor();
    for (let hour = 1; hour <= 60; hour++) floor.add([change(hour, 1)]);
    const waiting = floor.take(null);
    expect([waiting.length, waiting[0]!.hourMs / HOUR_MS]).toEqual([48, 13]);
  });
});

test('whatever fails or is killed, the stored hours hold each change at most once, in order, and all of them at the end', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('add', 'nextHour') },
    { weight: 3, arbitrary: fc.constantFrom('store', 'fail', 'unanswered') },
    { weight: 1, arbitrary: fc.constant('kill') },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const rows = new Map<number, FloorHour>();
      let floor = new RunFloor();
      let [hour, timeMs, unstored] = [1, 0, 0];
      /** What was added and may not be lost. */
      const expected = new Map<number, number>();
      let sinceStore: [number, number][] = [];
      const write = (hours: readonly FloorHour[]) => {
        for (const each of hours) rows.set(each.hourMs, each);
        if (hours.length > 0) sinceStore = [];
      };
      for (const each of steps) {
        timeMs += 15_000;
        if (each === 'nextHour') hour++;
        if (each === 'add' || each === 'nextHour') {
          floor.add([change(hour, 2)]);
          sinceStore.push([hour, 2]);
          expected.set(hour, (expected.get(hour) ?? 0) + 2);
        } else if (each === 'kill') {
          // What the killed program had not stored is lost; nothing else.
          for (const [at, seconds] of sinceStore) expected.set(at, expected.get(at)! - seconds);
          sinceStore = [];
          const since = (hour - 1) * HOUR_MS;
          floor = new RunFloor([...rows.values()].filter(({ hourMs }) => hourMs >= since));
        } else {
          const taken = floor.take(timeMs);
          // An unanswered write is in the database, but the node does not know it.
          if (each !== 'fail') write(taken);
          if (each === 'store') floor.stored();
        }
      }
      write(floor.take(null));
      const stored = [...rows.values()].map((row) => [row.hourMs / HOUR_MS, secondsOf(row)]);
      const wanted = [...expected].filter(([, seconds]) => seconds > 0);
      expect(stored.filter(([, seconds]) => seconds! > 0)).toEqual(wanted);
      unstored = sinceStore.length;
      expect(unstored).toBe(0);
    }),
  );
});
