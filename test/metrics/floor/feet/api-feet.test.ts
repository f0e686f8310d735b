import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeFeet, type FootPoint } from '../../../../src/metrics/floor/feet/encode-feet.ts';
import { writeFeet } from '../../../../src/metrics/floor/feet/feet.store.ts';
import { removeOldFloor } from '../../../../src/metrics/floor/retention.job.ts';
import { workOnNext } from '../../../../src/privacy/work-on-jobs.ts';
import { type ApiUser, codeOf, QUEUE_ZONE, shopOf, type TestApi, testApi } from '../../../support/api.ts';

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

  test('does not propose again what was left, but other places, and remembers it while a run writes', async () => {
    const zones = {
      checkoutZone: {
        type: 'polygon',
        points: [
          [0.3, 0.35],
          [0.7, 0.35],
          [0.7, 0.9],
          [0.3, 0.9],
        ],
      },
    };
    expect((await owner.patch(`/scenes/${sceneId}`, { config: { zones } })).status).toBe(200);
    const at = (changes: Partial<FootPoint>) =>
      Array.from({ length: 40 }, (_, each) => point(each, { feet: 'unknown', isShort: true, ...changes }));
    await addFeet(at({}));
    const before = (await owner.get(`/scenes/${sceneId}`)).body.data.updatedAt;
    const { zone, polygon } = (await feet()).body.data.proposal;
    const leave = (body: object, user = owner) => user.put(`/scenes/${sceneId}/left-proposal`, body);
    expect(codeOf(await leave({ zone, polygon }, other))).toEqual([404, 'NOT_FOUND']);
    expect((await feet()).body.data.proposal).not.toBeNull();
    expect((await leave({ zone, polygon })).status).toBe(204);
    expect((await feet()).body.data.proposal).toBeNull();
    expect((await owner.get(`/scenes/${sceneId}`)).body.data.updatedAt).toBe(before);

    const write = (points: readonly FootPoint[]) =>
      writeFeet(api.context.db, [{ sceneId, feet: { minute: NEWEST, points } }]);
    expect(await write(at({ y: 0.26 }))).toEqual(new Map([[sceneId, { zone, polygon }]]));
    expect((await feet()).body.data.proposal).toBeNull();
    await write(at({ x: 0.75, y: 0.6, feet: 'estimated' }));
    expect((await feet()).body.data.proposal).toMatchObject({ zone: 'checkoutZone' });
  });

  test.each([
    ['a zone for staff', { zone: 'staffZone', polygon: QUEUE_ZONE }],
    ['no polygon', { zone: 'queueZone' }],
    [
      'two corners',
      {
        zone: 'queueZone',
        polygon: {
          type: 'polygon',
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      },
    ],
    [
      'pixels',
      {
        zone: 'queueZone',
        polygon: {
          type: 'polygon',
          points: [
            [0, 0],
            [640, 0],
            [0, 360],
          ],
        },
      },
    ],
    ['an unknown field', { zone: 'queueZone', polygon: QUEUE_ZONE, share: 1 }],
  ])('refuses to leave a proposal with %s', async (_, body) => {
    expect(codeOf(await owner.put(`/scenes/${sceneId}/left-proposal`, body))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  test('leaves nothing of a scene without a sample', async () => {
    const body = { zone: 'queueZone', polygon: QUEUE_ZONE };
    expect((await owner.put(`/scenes/${sceneId}/left-proposal`, body)).status).toBe(204);
    expect(await count()).toBe(0);
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
