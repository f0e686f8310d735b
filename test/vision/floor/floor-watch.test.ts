import { describe, expect, test } from '@jest/globals';
import { type FloorChange, FloorWatch } from '../../../src/vision/floor/floor-watch.ts';
import { FLOOR_COLUMNS, FLOOR_ROWS, floorCell } from '../../../src/vision/floor/grid.ts';
import { type Moment, momentOf } from '../../../src/vision/moment.ts';
import type { Point } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';

const HOUR_MS = 3_600_000;
const ASPECT = 2;

const sightingAt = ([x, y]: Point, at: Moment) => ({
  ...{ box: { left: x - 0.02, right: x + 0.02, top: y - 0.3, bottom: y }, at },
  ...{ isSeen: true, hasHiddenFeet: false },
});

/** A watch that is shown people as points, and the sum of its changes by hour and cell. */
class Watched {
  readonly watch: FloorWatch;
  readonly changes: FloorChange[] = [];
  readonly staff = new Set<number>();
  #last: Moment | null = null;

  constructor(hasStaff = false) {
    this.watch = new FloorWatch(hasStaff);
  }

  /** One frame with these people, by id. */
  frame(timeMs: number, people: Readonly<Record<number, Point>>, departed: readonly number[] = []): void {
    const before = this.#last;
    const now = momentOf(timeMs, before);
    this.#last = now;
    const paths = Object.entries(people).map(([id, point]) => {
      const own = { personId: Number(id), trackId: Number(id) };
      return { ...own, path: [sightingAt(point, now)] as const };
    });
    const last = [sightingAt([0.5, 0.5], now)] as const;
    const gone = departed.map((personId) => ({ personId, last, wasCovered: false }));
    const isStaff = (personId: number) => this.staff.has(personId);
    this.watch.see({ paths, departed: gone }, { now, before, aspect: ASPECT, isStaff });
    this.changes.push(...this.watch.take(timeMs));
  }

  /** Seconds, and mean speed in picture widths per second, of each cell with people. */
  cells(hourMs = 0) {
    this.changes.push(...this.watch.takeAll());
    const sums = new Map<number, [number, number, number]>();
    for (const change of this.changes.filter((each) => each.hourMs === hourMs)) {
      for (let at = 0; at < change.cells.length; at += 4) {
        const [cell, ms, right, down] = change.cells.slice(at, at + 4) as [number, number, number, number];
        const sum = sums.get(cell) ?? [0, 0, 0];
        sums.set(cell, [sum[0] + ms, sum[1] + right, sum[2] + down]);
      }
    }
    return [...sums]
      .filter(([, [ms]]) => ms > 0.01)
      .sort(([a], [b]) => a - b)
      .map(([cell, [ms, right, down]]) => {
        const speed = (way: number) => Math.round((way / ms) * 1e6) / 1000;
        return { cell, seconds: Math.round(ms) / 1000, dx: speed(right), dy: speed(down) };
      });
  }

  get coveredMs(): number {
    return this.changes.reduce((sum, { coveredMs }) => sum + coveredMs, 0);
  }
}

/** The middle of a cell. */
const middle = (column: number, row: number): Point => [
  (column + 0.5) / FLOOR_COLUMNS,
  (row + 0.5) / FLOOR_ROWS,
];
const cellAt = (column: number, row: number) => row * FLOOR_COLUMNS + column;

describe('cells of foot points', () => {
  test.each([
    ['the top left', [0, 0], 0],
    ['the bottom right', [0.999, 0.999], 575],
    ['the right end of the first row', [0.999, 0], 31],
    ['the second row', [0, 1 / 18], 32],
    ['an edge', [1, 1], 575],
    ['a little below the picture', [0.5, 1.009], cellAt(16, 17)],
    ['a little left of it', [-0.009, 0.5], cellAt(0, 9)],
    ['far below it', [0.5, 1.02], -1],
    ['far right of it', [1.02, 0.5], -1],
    ['nowhere', [Number.NaN, 0.5], -1],
  ] as const)('%s', (_name, point, cell) => {
    expect(floorCell(point)).toBe(cell);
  });
});

describe('people on the floor', () => {
  test('a person who stands counts with the time between sightings and does not move', () => {
    const watched = new Watched();
    for (let frame = 0; frame <= 50; frame++) watched.frame(frame * 200, { 1: middle(5, 9) });
    expect(watched.cells()).toEqual([{ cell: cellAt(5, 9), seconds: 10, dx: 0, dy: 0 }]);
    expect(watched.coveredMs).toBe(10_000);
  });

  test('a person who was missed in some frames counts for the time in between', () => {
    const watched = new Watched();
    for (let frame = 0; frame <= 50; frame++)
      watched.frame(frame * 200, frame % 5 === 0 ? { 1: middle(5, 9) } : {});
    expect(watched.cells()).toEqual([{ cell: cellAt(5, 9), seconds: 10, dx: 0, dy: 0 }]);
  });

  test('a person who walks counts in every cell of the way, at one frame a second too, with the same speed', () => {
    const [from, to] = [middle(2, 4), middle(12, 4)];
    const walk = (stepMs: number) => {
      const watched = new Watched();
      for (let timeMs = 0; timeMs <= 4000; timeMs += stepMs)
        watched.frame(timeMs, { 1: [from[0] + ((to[0] - from[0]) * timeMs) / 4000, from[1]] });
      return watched.cells();
    };
    for (const cells of [walk(50), walk(1000)]) {
      expect(cells.map(({ cell }) => cell)).toEqual(Array.from({ length: 11 }, (_, at) => cellAt(2 + at, 4)));
      expect(cells.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(4, 1);
      // Ten of 32 columns in four seconds.
      for (const { dx, dy } of cells) expect([dx, dy]).toEqual([expect.closeTo(0.0781, 3), 0]);
    }
  });

  test('movements down are in picture widths too', () => {
    const watched = new Watched();
    watched.frame(0, { 1: middle(3, 4) });
    watched.frame(1000, { 1: middle(3, 5) });
    const [first] = watched.cells();
    expect(first).toMatchObject({ dx: 0, dy: expect.closeTo(1 / FLOOR_ROWS / ASPECT, 3) });
  });

  test('two people in one cell who walk past each other have no direction', () => {
    const watched = new Watched();
    const [x, y] = middle(6, 6);
    watched.frame(0, { 1: [x - 0.01, y], 2: [x + 0.01, y] });
    watched.frame(200, { 1: [x + 0.01, y], 2: [x - 0.01, y] });
    expect(watched.cells()).toEqual([{ cell: cellAt(6, 6), seconds: 0.4, dx: 0, dy: 0 }]);
  });

  test('a gap without frames adds nothing', () => {
    const watched = new Watched();
    watched.frame(0, { 1: middle(5, 9) });
    watched.frame(2000, { 1: middle(5, 9) });
    watched.frame(10_000, { 1: middle(8, 9) });
    watched.frame(10_200, { 1: middle(8, 9) });
    expect(watched.cells()).toEqual([
      { cell: cellAt(5, 9), seconds: 2, dx: 0, dy: 0 },
      { cell: cellAt(8, 9), seconds: 0.2, dx: 0, dy: 0 },
    ]);
    expect(watched.coveredMs).toBe(2200);
  });

  test('feet outside the picture count nowhere', () => {
    const watched = new Watched();
    for (let frame = 0; frame <= 10; frame++) watched.frame(frame * 200, { 1: [0.5, 1.2] });
    expect(watched.cells()).toEqual([]);
    expect(watched.coveredMs).toBe(2000);
  });

  test('an hour ends with its last frame, and the next one begins', () => {
    const watched = new Watched();
    for (let frame = -5; frame <= 5; frame++) watched.frame(HOUR_MS + frame * 200, { 1: middle(1, 1) });
    expect(watched.cells(0)).toMatchObject([{ seconds: 0.8 }]);
    expect(watched.cells(HOUR_MS)).toMatchObject([{ seconds: 1.2 }]);
  });

  test('changes come every two seconds of frame time, and at the end', () => {
    const { watch } = new Watched();
    let before: Moment | null = null;
    const counts: number[] = [];
    for (let frame = 0; frame <= 30; frame++) {
      const now = momentOf(frame * 200, before);
      const path = [sightingAt(middle(1, 1), now)] as const;
      const context = { now, before, aspect: ASPECT, isStaff: () => false };
      watch.see({ paths: [{ personId: 1, trackId: 1, path }], departed: [] }, context);
      before = now;
      if (watch.take(now.timeMs).length > 0) counts.push(frame);
    }
    expect(counts).toEqual([10, 20, 30]);
    expect(watch.takeAll()).toEqual([]);
  });
});

describe('staff on the floor', () => {
  test('is taken back when it is found, also from the hour before', () => {
    const watched = new Watched(true);
    for (let frame = -10; frame <= 10; frame++)
      watched.frame(HOUR_MS + frame * 200, { 1: middle(1, 1), 2: middle(4, 4) });
    watched.staff.add(1);
    for (let frame = 11; frame <= 20; frame++)
      watched.frame(HOUR_MS + frame * 200, { 1: middle(1, 1), 2: middle(4, 4) });
    expect(watched.cells(0)).toEqual([{ cell: cellAt(4, 4), seconds: 1.8, dx: 0, dy: 0 }]);
    expect(watched.cells(HOUR_MS)).toEqual([{ cell: cellAt(4, 4), seconds: 4.2, dx: 0, dy: 0 }]);
  });

  test('people who left are no longer remembered', () => {
    const watched = new Watched(true);
    watched.frame(0, { 1: middle(1, 1) });
    watched.frame(200, { 1: middle(1, 1) });
    watched.frame(400, {}, [1]);
    watched.staff.add(1);
    watched.frame(600, { 1: middle(1, 1) });
    expect(watched.cells()).toEqual([{ cell: cellAt(1, 1), seconds: 0.2, dx: 0, dy: 0 }]);
  });
});

test('the sum of all cells is the time for which people were watched, however they move', () => {
  const place = fc.record({
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
    stepMs: fc.integer({ min: 1, max: 3000 }),
  });
  const ways = fc.array(place, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(ways, (way) => {
      const watched = new Watched();
      let [timeMs, watchedMs] = [0, 0];
      way.forEach(({ x, y, stepMs }, at) => {
        timeMs += stepMs;
        if (at > 0 && stepMs <= 2000) watchedMs += stepMs;
        watched.frame(timeMs, { 1: [x, y] });
      });
      const seconds = watched.cells().reduce((sum, each) => sum + each.seconds, 0);
      expect(seconds).toBeCloseTo(watchedMs / 1000, 1);
      expect(watched.coveredMs).toBe(watchedMs);
    }),
  );
});
