import { expect, test } from '@jest/globals';
import { CURRENT, type CurrentMetrics, ROLLING, TOTAL } from '../../src/catalogue/metrics/all.ts';
import { NO_WAITS } from '../../src/catalogue/waits/wait-words.ts';
import { nester, storedCurrent, storedTotal, storedWindow } from '../../src/metrics/measured-by-zones.ts';
import {
  currentBytes,
  numbersOfSnapshot,
  numbersOfWindow,
  windowBytes,
} from '../../src/metrics/stored-numbers.ts';
import { fc } from '../support/property.ts';

const number = fc.oneof(
  fc.constant(null),
  fc.nat(100),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.nat(5_000_000).map((thousandths) => thousandths / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const valuesOf = (metrics: readonly unknown[]) =>
  fc.array(number, { minLength: metrics.length, maxLength: metrics.length });
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('every number comes back exactly, and nulls stay null: the answer is that of the same numbers as JSON', () => {
  const reason = fc.constantFrom(null, ...NO_WAITS);
  fc.assert(
    fc.property(valuesOf(CURRENT), reason, valuesOf(ROLLING), (now, estimatedWaitReason, times) => {
      const current = {
        ...nester(CURRENT)((_, at) => now[at]!),
        estimatedWaitReason,
      } as unknown as CurrentMetrics;
      const window = nester(ROLLING)((_, at) => times[at]!);
      const snapshot = { numbers: currentBytes(current), currentMetrics: null };
      const record = { numbers: windowBytes(window), metrics: null };
      const asJson = { numbers: null, currentMetrics: json(current), metrics: json(window) };
      const text = (value: unknown) => JSON.stringify(value);
      expect(text(storedCurrent(numbersOfSnapshot(snapshot)))).toBe(
        text(storedCurrent(numbersOfSnapshot(asJson))),
      );
      expect(text(storedWindow(numbersOfWindow(record)))).toBe(text(storedWindow(numbersOfWindow(asJson))));
      expect(text(storedTotal(numbersOfWindow(record)))).toBe(text(storedTotal(numbersOfWindow(asJson))));
    }),
  );
});

test('stored rows have no names, so that a number never changes its slot', () => {
  const slots = (metrics: readonly { readonly name: string; readonly slot: number }[]) =>
    metrics.map(({ name, slot }) => `${slot} ${name}`).join(', ');
  expect(slots(CURRENT)).toBe(
    '0 inQueue, 1 inService, 2 totalPresent, 3 avgWaitSeconds, 4 maxWaitSeconds, 5 avgServiceSeconds, ' +
      '6 maxServiceSeconds, 7 estimatedWaitSeconds, 8 estimatedWaitLowSeconds, 9 estimatedWaitHighSeconds, ' +
      '10 openTills, 11 servingTills, 12 freeTills',
  );
  expect(slots(ROLLING)).toBe(
    '0 completed.count, 1 completed.waitCount, 2 completed.avgWaitSeconds, 3 completed.maxWaitSeconds, ' +
      '4 completed.p50WaitSeconds, 5 completed.p90WaitSeconds, 6 completed.serviceCount, ' +
      '7 completed.avgServiceSeconds, 8 completed.maxServiceSeconds, 9 completed.p90ServiceSeconds, ' +
      '10 abandoned.count, 11 abandoned.waitCount, 12 abandoned.avgWaitSeconds, 13 abandoned.maxWaitSeconds, ' +
      '14 abandoned.earlyCount, 15 arrivals, 16 abandonmentRate, 17 serviceLevel, 18 serviceLevelCount, ' +
      '19 lostCount, 20 avgOpenTills, 21 tillUtilization, 22 waitedWithFreeTillSeconds, 23 throughputPerHour, ' +
      '24 avgInQueue, 25 maxInQueue, 26 avgInService, 27 serverUtilization, 28 coveragePercent, ' +
      '29 expectedErrorPercent, 30 expectedErrorLowPercent, 31 expectedErrorHighPercent, ' +
      '32 expectedWaitErrorPercent, 33 expectedWaitErrorLowPercent, 34 expectedWaitErrorHighPercent',
  );
  expect(ROLLING).toEqual(expect.arrayContaining([...TOTAL]));
});

test('bytes of before are read: of more slots, of fewer, and not of a row that ends too early', () => {
  const some = new Map([
    ['inQueue', 7],
    ['avgWaitSeconds', 118.4],
  ]);
  const whole = nester(CURRENT)(({ name }) => some.get(name) ?? null) as unknown as CurrentMetrics;
  const bytes = currentBytes({ ...whole, estimatedWaitReason: 'noServiceSeen' });
  expect(Buffer.from(bytes).toString('hex')).toBe('0201091c81f41c');
  // Slot 20 is of a later version.
  const later = Uint8Array.from([0, 3, 1, 0, 0x10, 28, 4]);
  expect(storedCurrent(numbersOfSnapshot({ numbers: later, currentMetrics: null }))).toMatchObject({
    inQueue: 7,
    freeTills: null,
  });
  expect(() => numbersOfSnapshot({ numbers: bytes.slice(0, -1), currentMetrics: null })).toThrow(
    'end too early',
  );
});
