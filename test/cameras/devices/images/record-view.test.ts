import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordingViews, recordView } from '../../../../src/cameras/devices/images/record-view.ts';
import { type ApiUser, type TestApi, TestClock, testApi } from '../../../support/api.ts';

const DEVICE = '44444444-4444-4444-4444-444444444444';
const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  user = await api.user();
  clock.time = new Date('2026-11-01T12:00:00.000Z');
});
afterAll(() => api.drop());

const viewer = (credentialId: string, isSession = false) => ({
  caller: {
    userId: user.userId,
    credentialId,
    keyId: credentialId,
    sessionId: isSession ? credentialId : null,
  },
  client: { address: '::ffff:192.168.1.40' },
  deviceId: DEVICE,
});
const entries = () =>
  api.context.db.auditEntry.findMany({
    where: { userId: user.userId, action: 'pictures_viewed' },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  });

test('whoever looks at pictures is written down once for each key or session, device and hour', async () => {
  const [key, session] = ['55555555-5555-5555-5555-555555555555', '66666666-6666-6666-6666-666666666666'];
  for (let second = 0; second < 5; second++) {
    clock.forward(1);
    await recordView(api.context, viewer(key!));
    await recordView(api.context, viewer(session!, true));
  }
  expect(await entries()).toMatchObject([
    {
      actorKind: 'key',
      actorId: key,
      networkAddress: '192.168.1.40',
      targetKind: 'device',
      targetId: DEVICE,
    },
    {
      actorKind: 'session',
      actorId: session,
      networkAddress: '192.168.1.40',
      targetKind: 'device',
      targetId: DEVICE,
    },
  ]);
});

test('live pictures of several hours have an entry for each hour, which is there before its first picture is sent', async () => {
  const before = (await entries()).length;
  const times = ['12:10', '12:59', '13:00', '13:30', '15:01'];
  async function* pictures() {
    for (const time of times) {
      clock.time = new Date(`2026-11-02T${time}:00.000Z`);
      yield { headers: {}, body: new Uint8Array([1]) };
    }
  }
  const counts: number[] = [];
  for await (const _ of recordingViews(api.context, viewer(DEVICE), pictures() as never))
    counts.push((await entries()).length - before);
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});

test('an entry that cannot be written ends the pictures', async () => {
  clock.forward(3_600);
  async function* pictures() {
    yield { headers: {}, body: new Uint8Array([1]) };
  }
  const broken = { ...api.context, db: { $executeRaw: () => Promise.reject(new Error('away')) } as never };
  const watching = recordingViews(broken, viewer(DEVICE), pictures() as never);
  await expect(watching.next()).rejects.toThrow('away');
});
