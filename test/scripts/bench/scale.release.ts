import { expect, test } from '@jest/globals';
import { type DatabaseCounters, useBetween } from '../../../scripts/bench/scale/database-use.ts';
import { frameLater, recordTape } from '../../../scripts/bench/scale/tape.ts';

test('a tape has what a lane sends: frames at their rate, visits, checkpoints that are due', () => {
  const tape = recordTape(3);
  expect(tape).toHaveLength(900);
  expect(tape.map(({ observation }) => observation.timeMs).slice(0, 3)).toEqual([0, 200, 400]);
  expect(tape.some(({ openVisits }) => openVisits.length > 0)).toBe(true);
  expect(tape.flatMap(({ observation }) => observation.changes).length).toBeGreaterThan(3);
  expect(tape[10]!.checkpoint).not.toBeNull();
  const quiet = tape.findIndex(({ observation: { changes } }, at) => at % 10 === 1 && changes.length === 0);
  expect(tape[quiet]!.checkpoint).toBeNull();
});

test('a frame that is sent later has all its times later', () => {
  const frame = recordTape(3).find(({ observation }) => observation.changes.length > 0)!;
  const later = frameLater(frame, 'scene', 1_000);
  expect(later.observation).toMatchObject({
    sceneId: 'scene',
    timeMs: frame.observation.timeMs + 1_000,
    open: frame.observation.open,
  });
  const [before, after] = [frame.observation.changes[0]!, later.observation.changes[0]!];
  expect(after.arrivalDecidedAtMs).toBe(before.arrivalDecidedAtMs + 1_000);
  const { queueEnteredAtMs } = before;
  expect(after.queueEnteredAtMs).toBe(queueEnteredAtMs === null ? null : queueEnteredAtMs + 1_000);
});

test('the use of a database is what its counters grew by, per second', () => {
  const counters = (values: Partial<DatabaseCounters>): DatabaseCounters => ({
    ...{ atMs: 0, statements: 0, commits: 0, walBytes: 0, databaseBytes: 0, cpuSeconds: null, tables: {} },
    ...values,
  });
  const before = counters({ statements: 100, cpuSeconds: 1, tables: { Scene: [5, 100, 0] } });
  const after = counters({
    ...{ atMs: 10_000, statements: 400, commits: 20, walBytes: 5_000, databaseBytes: 9, cpuSeconds: 3 },
    tables: { Scene: [5, 200, 0], Visit: [20, 0, 10], Device: [0, 0, 0] },
  });
  expect(useBetween(before, after)).toEqual({
    ...{ seconds: 10, statementsPerSecond: 30, commitsPerSecond: 2, walBytesPerSecond: 500 },
    ...{ databaseGrowthBytes: 9, cpuCores: 0.2 },
    rowsPerSecond: { inserted: 2, updated: 10, deleted: 1 },
    tables: [
      { table: 'Scene', inserted: 0, updated: 10, deleted: 0 },
      { table: 'Visit', inserted: 2, updated: 0, deleted: 1 },
    ],
  });
  expect(useBetween(counters({}), after).cpuCores).toBeNull();
});
