import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { placeOf, startTracing, traced } from '../../../src/platform/tracing/tracing.ts';

const ALERT = '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01';
const logger = createLogger({ level: 'silent', program: 'test' });
const ENDPOINT = 'http://127.0.0.1:9/';

test.each<[string, NodeJS.ProcessEnv]>([
  ['without a collector', {}],
  ['with OTEL_SDK_DISABLED', { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  ['with OTEL_TRACES_EXPORTER=none', { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('%s nothing is traced, and the work is done', async (_, environment) => {
  const tracing = await startTracing(loadConfig(environment), { program: 'test', logger });
  const work = { name: 'webhook', parent: placeOf(ALERT) };
  expect(await traced(work, async ({ traceparent }) => [traceparent])).toEqual([null]);
  await tracing.stop();
});

test('with a collector work has a place in the trace of its alert, and outside of a trace it is only done', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT };
  const tracing = await startTracing(loadConfig(environment), { program: 'test', logger });
  const inner = () => traced({ name: 'chat' }, async ({ traceparent }) => traceparent);
  const header = /^00-0197a0c45f3e7d209a5c0f6f0b1c2d01-[0-9a-f]{16}-01$/;
  const both = await traced({ name: 'insight', parent: placeOf(ALERT) }, async ({ traceparent }) => [
    traceparent,
    await inner(),
  ]);
  expect(both).toEqual([expect.stringMatching(header), expect.stringMatching(header)]);
  expect(both[0]).not.toBe(both[1]);
  const first = { name: 'alert', parent: null, place: placeOf(ALERT) };
  expect(await traced(first, async ({ traceparent }) => traceparent)).toBe(
    '00-0197a0c45f3e7d209a5c0f6f0b1c2d01-9a5c0f6f0b1c2d01-01',
  );
  expect(await inner()).toBeNull();
  await expect(
    traced({ name: 'insight', parent: placeOf(ALERT) }, () => Promise.reject(new Error('no answer'))),
  ).rejects.toThrow('no answer');
  // The collector is away: the program goes on.
  await tracing.stop();
  expect(await inner()).toBeNull();
});
