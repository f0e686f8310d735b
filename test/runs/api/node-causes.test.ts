import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heartbeat } from '../../../src/runs/node/node.store.ts';
import { type ApiUser, type TestApi, testApi } from '../../support/api.ts';
import { addNode } from '../../support/rows/runs.ts';

let api: TestApi;
let admin: ApiUser;
beforeAll(async () => {
  api = await testApi();
  admin = await api.user(['admin']);
});
afterAll(() => api.drop());

test('the reasons of a node are codes too, as long as the worker that wrote them has the node', async () => {
  const { db } = api.context;
  const id = await addNode(db, 'causes');
  const { incarnation } = await db.computeNode.findUniqueOrThrow({ where: { id } });
  const sentence = 'One sentence.';
  await heartbeat(db, {
    ...{ id, incarnation, activeDeviceCount: 1, maxConcurrentDevices: 4, lastSkewMs: 0, overload: null },
    ...{ executionProvider: 'cpu', adapter: null, videoDecoder: 'software', averageInitMs: null },
    healthReason: { sentence, cause: { code: 'overloaded', late: 1, cameras: 2 } },
    providerReason: { sentence, cause: { code: 'gpu_failed', detail: 'x'.repeat(1000) } },
    videoDecoderReason: null,
  });
  const shown = async () => {
    const { data } = (await admin.get('/admin/compute-nodes')).body;
    const {
      healthReason,
      healthCause,
      providerReason,
      providerCause: provider,
      videoDecoderCause,
    } = data.find((node: { id: string }) => node.id === id);
    expect([healthReason, providerReason, videoDecoderCause]).toEqual([sentence, sentence, null]);
    return { health: healthCause, provider };
  };
  const causes = {
    health: { code: 'overloaded', late: 1, cameras: 2 },
    provider: { code: 'gpu_failed', detail: 'x'.repeat(300) },
  };
  expect(await shown()).toEqual(causes);
  // A newer worker has a code of its own.
  const newer = {
    incarnation,
    health: { code: 'of_tomorrow' },
    provider: causes.provider,
    videoDecoder: null,
  };
  await db.computeNode.update({ where: { id }, data: { causes: newer } });
  expect(await shown()).toEqual({ ...causes, health: null });
  // A worker of the version before takes the place of the node, and leaves the codes as they are.
  await db.computeNode.update({ where: { id }, data: { incarnation: randomUUID() } });
  expect(await shown()).toEqual({ health: null, provider: null });
});
