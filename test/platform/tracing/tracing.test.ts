import { hostname } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import { loadConfig, VERSION } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { placeOf, startTracing, traced } from '../../../src/platform/tracing/tracing.ts';
import { traceCollector } from '../../support/servers/trace-collector.ts';

const ALERT = '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01';
const logger = createLogger({ level: 'silent', program: 'test' });
const ENDPOINT = 'http://127.0.0.1:9/';

afterEach(() => {
  delete process.env.OTEL_RESOURCE_ATTRIBUTES;
});

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

test('every start is an instance of its own, with the version, the host and what OTEL_RESOURCE_ATTRIBUTES adds', async () => {
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=shop,service.name=other,program=other';
  const collector = await traceCollector();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'video' };
  for (const program of ['api', 'worker']) {
    const tracing = await startTracing(loadConfig(environment), { program, logger });
    await traced({ name: 'insight', parent: placeOf(ALERT) }, async () => undefined);
    await tracing.stop();
  }
  const resources = collector.spans.map(({ resource }) => resource);
  const shared = {
    ...{ 'service.name': 'video', 'service.version': VERSION, 'deployment.environment.name': 'shop' },
    ...{ 'host.name': hostname(), 'process.pid': process.pid },
  };
  expect(resources).toEqual([
    expect.objectContaining({ ...shared, program: 'api' }),
    expect.objectContaining({ ...shared, program: 'worker' }),
  ]);
  // Containers have the same process id everywhere.
  const instances = resources.map((resource) => resource['service.instance.id']);
  expect(instances).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ]);
  expect(new Set(instances).size).toBe(2);
  await collector.stop();
});
