import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { request as undici } from 'undici';
import { type RunningServer, startServer } from '../../../src/http/server/server.ts';
import { type ApiUser, type TestApi, testApi } from '../../support/api.ts';
import { addRecording, CLIP } from '../../support/rows/recordings.ts';

const LIMIT = 3 * CLIP.length - 1;
const WHERE = 'recordedAt=2026-11-01T09:00:00%2B01:00&timezone=Europe/Berlin';

let api: TestApi;
let server: RunningServer;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi({ MAX_RECORDING_BYTES_PER_USER: String(LIMIT) });
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 0 });
});
afterAll(async () => {
  await server?.stop();
  await api?.drop();
});
beforeEach(async () => {
  user = await api.user();
});

const upload = async (body: Buffer = CLIP) => {
  const { status, body: answer } = await request(api.app)
    .post(`/api/v1/recordings?${WHERE}`)
    .set('Authorization', `Bearer ${user.key}`)
    .set('Content-Type', 'video/mp4')
    .send(body);
  return { status, ...(answer as { message?: string; error?: { code: string; details?: object[] } }) };
};
const storedFiles = (): string[] => {
  const path = join(api.imagesDir, 'recordings');
  return existsSync(path) ? readdirSync(path).filter((name) => name.includes(user.userId)) : [];
};
const usedBy = async (): Promise<number> => {
  const { _sum } = await api.context.db.recording.aggregate({
    where: { userId: user.userId },
    _sum: { sizeBytes: true },
  });
  return Number(_sum.sizeBytes);
};

describe('the recordings of a user may have MAX_RECORDING_BYTES_PER_USER together', () => {
  test('one more is refused with the limit and the use; deleting one makes room', async () => {
    await addRecording(api.context, user.userId);
    const second = await addRecording(api.context, user.userId);
    const used = 2 * CLIP.length;
    const refused = await upload();
    expect(refused).toMatchObject({
      status: 409,
      message: `Your recordings have ${used} of ${LIMIT} bytes (MAX_RECORDING_BYTES_PER_USER), and this file has no room: delete recordings that you no longer need, or ask the operator`,
      error: {
        code: 'LIMIT_REACHED',
        details: [{ path: '', reason: 'stored_bytes', limit: LIMIT, used, message: expect.any(String) }],
      },
    });
    expect(storedFiles()).toHaveLength(2);
    expect((await user.delete(`/recordings/${second.id}`)).status).toBe(204);
    expect((await upload()).status).toBe(201);
  });

  test('a file that does not say its size ends at the limit', async () => {
    await addRecording(api.context, user.userId);
    await addRecording(api.context, user.userId);
    const { statusCode, body } = await undici(`${server.url}/api/v1/recordings?${WHERE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'video/mp4' },
      body: Readable.from([CLIP.subarray(0, 2_000), CLIP.subarray(2_000)]),
    });
    const { error } = (await body.json()) as { error: { code: string; details: [{ reason: string }] } };
    expect([statusCode, error.code, error.details[0].reason]).toEqual([
      ...[409, 'LIMIT_REACHED', 'stored_bytes'],
    ]);
    expect(storedFiles()).toHaveLength(2);
  });

  test('uploads at the same time cannot step around it', async () => {
    await addRecording(api.context, user.userId);
    await addRecording(api.context, user.userId, { sizeBytes: 1n });
    // Each has room alone.
    const both = await Promise.all([upload(), upload()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.error?.details).toMatchObject([
      { reason: 'stored_bytes', limit: LIMIT },
    ]);
    expect(storedFiles()).toHaveLength(3);
    expect(await usedBy()).toBeLessThanOrEqual(LIMIT);
  });

  test('what is deleted counts until its file is erased, and the recordings of others never count', async () => {
    await addRecording(api.context, (await api.user()).userId, { sizeBytes: BigInt(LIMIT) });
    const full = await addRecording(api.context, user.userId, { sizeBytes: BigInt(LIMIT) });
    await api.context.db.recording.update({ where: { id: full.id }, data: { deletedAt: new Date() } });
    expect((await upload()).error?.code).toBe('LIMIT_REACHED');
    await api.context.db.recording.delete({ where: { id: full.id } });
    expect((await upload()).status).toBe(201);
  });
});
