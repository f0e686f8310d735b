import { describe, expect, test } from '@jest/globals';
import { clockOfName, fileFault, nameOfFile } from '../../../src/page/recordings/recorded-time.ts';
import { type Sample, transferOf, withSample } from '../../../src/page/recordings/transfer.ts';
import { fc } from '../../support/property.ts';

describe('the file of a recording', () => {
  test.each([
    ['2026-11-20_09-00-05.mp4', '2026-11-20T09:00:05'],
    ['Till 3 20261120T090005.mkv', '2026-11-20T09:00:05'],
    ['VID_20261120_0905.mp4', '2026-11-20T09:05:00'],
    ['cam1 2026-11-20 at 09.05.30.mov', '2026-11-20T09:05:30'],
    ['ch01_20261120090530.mp4', '2026-11-20T09:05:30'],
    ['2026-02-31_09-00-00.mp4', null],
    ['2026-11-20_25-00-00.mp4', null],
    ['holiday 2026-11-20.mp4', null],
    ['120261120090530999.mp4', null],
    ['till.mp4', null],
    ['', null],
  ])('%p says %p', (name, clock) => expect(clockOfName(name)).toBe(clock));

  test('never says a time that does not exist', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9T_. -]{0,30}$/), (name) => {
        const clock = clockOfName(name);
        if (clock !== null) expect(new Date(`${clock}Z`).toISOString()).toBe(`${clock}.000Z`);
      }),
    );
  });

  test('gives its name without ending, in 100 characters', () => {
    expect([nameOfFile('Till 3.mp4'), nameOfFile('.mp4'), nameOfFile('v1.2')]).toEqual([
      'Till 3',
      '.mp4',
      'v1.2',
    ]);
    expect([...nameOfFile(`${'🛒'.repeat(200)}.mkv`)]).toHaveLength(100);
  });

  test.each([
    [{ name: 'a.mkv', type: '', size: 1 }, null],
    [{ name: 'a.bin', type: 'video/mp4', size: 1 }, null],
    [{ name: 'a.jpg', type: 'image/jpeg', size: 1 }, 'notVideo'],
    [{ name: 'a.mp4', type: 'video/mp4', size: 0 }, 'empty'],
  ])('%p: %p', (file, fault) => expect(fileFault(file)).toBe(fault));
});

describe('an upload', () => {
  const sent = (...rows: [number, number][]) =>
    rows.reduce<readonly Sample[]>(
      (all, [second, bytes]) => withSample(all, { atMs: second * 1000, bytes }),
      [],
    );

  test('has the rate of its last seconds', () => {
    const samples = sent([0, 0], [1, 100], [10, 1_000], [12, 1_100], [18, 1_400]);
    expect(transferOf(samples, 2_000)).toEqual({ percent: 70, bytesPerSecond: 50, secondsLeft: 12 });
  });

  test('has no rate before it is known, and while nothing moves', () => {
    expect(transferOf([], 10)).toEqual({ percent: 0, bytesPerSecond: null, secondsLeft: null });
    expect(transferOf(sent([0, 0], [1, 5]), 10)).toMatchObject({ percent: 50, secondsLeft: null });
    expect(transferOf(sent([0, 5], [30, 5], [60, 5]), 10).secondsLeft).toBeNull();
  });

  test('is at 100 % only when all is sent, and keeps few samples', () => {
    const bytes = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(bytes, (steps) => {
        const sums = steps.map((_, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0));
        const samples = sent(...sums.map((sum, second): [number, number] => [second, sum]));
        const total = sums.at(-1)!;
        expect(samples.length).toBeLessThanOrEqual(11);
        expect(transferOf(samples, total + 1).percent).toBeLessThan(100);
        if (total > 0) expect(transferOf(samples, total).percent).toBe(100);
      }),
    );
  });
});
