import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeFeet, type FootPoint } from '../../../src/floor/feet/encode-feet.ts';
import { removeOldFloor } from '../../../src/floor/retention.job.ts';
import { workOnNext } from '../../../src/privacy/work-on-jobs.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../../support/api.ts';

const UNTIL = new Date('2026-01-05T10:00:00Z');
const NEWEST = UNTIL.getTime() / 60_000 - 1;
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let sceneId: string;
let deviceId: string;

const point = (at: number, changes: Partial<FootPoint> = {}): FootPoint => ({
  ...{ minute: NEWEST - at, x: 0.5, y: 0.25, feet: 'seen', isStanding: true, isShort: false },
  ...changes,
});

const addFeet = (points: readonly FootPoint[], until = UNTIL) =>
  api.context.db.sceneFeet.create({ data: { sceneId, until, points: encodeFeet(points, NEWEST) } });
const count = () => api.context.db.sceneFeet.count({ where: { sceneId } });
const feet = (user = owner, id = sceneId) => user.get(`/analytics/scenes/${id}/feet`);

beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
});
beforeEach(async () => {
  ({ sceneId, deviceId } = await shopOf(owner));
});
afterAll(() => api.drop());

describe('GET /analytics/scenes/{id}/feet', () => {
  test('has the points of the last hour with what is known of them', async () => {
    await addFeet([point(59), point(0, { feet: 'estimated', isStanding: false })]);
    const { status, body } = await feet();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ sceneId, until: UNTIL.toISOString(), feet: null, proposal: null },
      points: [
        { x: expect.closeTo(0.5, 3), y: expect.closeTo(0.25, 3), feet: 'seen', isStanding: true },
        { x: expect.closeTo(0.5, 3), y: expect.closeTo(0.25, 3), feet: 'estimated', isStanding: false },
      ],
    });
  });

  test('knows nothing of a scene that was never analysed', async () => {
    expect((await feet()).body.data).toEqual({
      ...{ sceneId, until: null, feet: null, points: [], proposal: null },
    });
  });

  test('proposes a zone with the places of people who are cut off beside one, by the zones as they are now', async () => {
    const zone = (top: number) => ({
      checkoutZone: {
        type: 'polygon',
        points: [
          [0.3, top],
          [0.7, top],
          [0.7, 0.9],
          [0.3, 0.9],
        ],
      },
    });
    expect((await owner.patch(`/scenes/${sceneId}`, { config: { zones: zone(0.35) } })).status).toBe(200);
    await addFeet(Array.from({ length: 40 }, (_, at) => point(at, { feet: 'unknown', isShort: true })));
    const { data } = (await feet()).body;
    expect(data).toMatchObject({ feet: 'unknown', proposal: { zone: 'checkoutZone', share: 1 } });
    const { points } = data.proposal.polygon;
    const accepted = { checkoutZone: { type: 'polygon', points } };
    expect((await owner.patch(`/scenes/${sceneId}`, { config: { zones: accepted } })).status).toBe(200);
    expect((await feet()).body.data.proposal).toBeNull();
  });

  test('of another user, of no scene and without the scope is refused', async () => {
    expect(codeOf(await feet(other))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await feet(owner, '11111111-1111-1111-1111-111111111111'))).toEqual([404, 'NOT_FOUND']);
    expect((await feet(owner, 'x')).status).toBe(400);
  });
});

describe('the sample goes', () => {
  test('with its scene', async () => {
    await addFeet([point(0)]);
    expect((await owner.delete(`/scenes/${sceneId}`)).status).toBe(204);
    expect(await count()).toBe(0);
  });

  test('with its device', async () => {
    await addFeet([point(0)]);
    expect((await owner.delete(`/devices/${deviceId}`)).status).toBe(204);
    expect(await count()).toBe(0);
  });

  test('after the days that floor maps are kept', async () => {
    const old = new Date(api.context.clock.now().getTime() - 401 * 86_400_000);
    await addFeet([point(0)], new Date(Math.floor(old.getTime() / 60_000) * 60_000));
    await removeOldFloor(api.context);
    expect(await count()).toBe(0);
  });

  test.each([
    ['in', '2026-01-05T09:00:00Z', '2026-01-05T09:01:00Z', 0],
    ['before', '2026-01-05T08:00:00Z', '2026-01-05T09:00:00Z', 1],
    ['after', '2026-01-05T10:00:00Z', '2026-01-05T11:00:00Z', 1],
  ])('with an erasure of a range that lies %s its hour: %s to %s leaves %i', async (_, from, to, left) => {
    await addFeet([point(0)]);
    const asked = await owner.post('/privacy/erasures', { from, to, deviceIds: [deviceId] });
    expect(asked.status).toBe(202);
    expect(await workOnNext(api.context, new AbortController().signal)).toBe(true);
    expect(await count()).toBe(left);
  });
});
