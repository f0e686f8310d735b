import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseLabels } from '../../../../scripts/evaluate/visits/label-file.ts';
import { compareTimes, type Times } from '../../../../src/cameras/scenes/checks/times/compare-times.ts';
import { filled } from '../../../../src/cameras/scenes/checks/times/film.ts';
import { labelsCsv } from '../../../../src/cameras/scenes/checks/times/labels-csv.ts';
import { timesAnswer } from '../../../../src/cameras/scenes/checks/times/times.schema.ts';
import { claimDueFilms } from '../../../../src/cameras/scenes/checks/times/times.store.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../../../support/api.ts';
import { addRecording } from '../../../support/rows/recordings.ts';

/** `[joined, served, left]`, by person. */
type Rows = readonly (readonly [number | null, number | null, number | null])[];
const times = (rows: Rows): Times[] =>
  rows.map(([joinedAt, servedAt, leftAt], at) => ({ person: String(at + 1), joinedAt, servedAt, leftAt }));
const FILM = {
  seconds: 600,
  rules: { hasCheckout: true, entry: 3, handOver: 5 },
  has: { waiting: true, served: true },
};

describe('times of checkers compared with ours', () => {
  test.each<[string, Rows, Rows, object]>([
    [
      'the same',
      [[10, 40, 70]],
      [[10, 40, 70]],
      {
        waiting: { marked: 1, ours: 1, matched: 1, lengths: { medianErrorSeconds: 0, p90ErrorSeconds: 0 } },
        served: { matched: 1, lengths: { meanTheirs: 30 } },
        differences: [],
      },
    ],
    [
      'we are late by ten seconds of thirty',
      [[10, 40, 70]],
      [[20, 40, 70]],
      { waiting: { matched: 1, lengths: { medianErrorSeconds: 10, meanOurs: 20, meanTheirs: 30 } } },
    ],
    [
      'one was missed and one invented',
      [[10, null, 100]],
      [[200, null, 260]],
      {
        waiting: { matched: 0, f1Percent: { value: 0 }, lengths: null },
        served: null,
        differences: [
          { kind: 'missed', part: 'waiting', from: 10, to: 100, person: '1' },
          { kind: 'invented', from: 200, to: 260, person: null },
        ],
      },
    ],
    [
      'what began before and what goes on counts as far as the film shows it; its length when it ends',
      [
        [0, 30, 60],
        [580, null, null],
      ],
      [
        [-120, 30, 60],
        [581, null, 900],
      ],
      { waiting: { matched: 2, lengths: { compared: 1, medianErrorSeconds: 0 } } },
    ],
    ['whoever walks through counts on neither side', [[10, null, 12]], [[20, null, 22]], { waiting: null }],
  ])('%s', (_, theirs, ours, expected) => {
    expect(compareTimes([times(theirs)], times(ours), FILM)).toMatchObject({ ...expected, agreement: null });
  });

  test('of ten waits the ninth error is the one that nine tenths keep to', () => {
    const theirs = Array.from({ length: 10 }, (_, n) => [n * 50, n * 50 + 40, n * 50 + 45] as const);
    const ours = theirs.map(([from, until, left], n) => [from + n, until, left] as const);
    const { waiting } = compareTimes([times(theirs)], times(ours), FILM);
    expect(waiting!.lengths).toMatchObject({ medianErrorSeconds: 4, p90ErrorSeconds: 8 });
    expect(waiting!.f1Percent).toMatchObject({ value: 100, to: 100 });
    // Ten visits do not prove that there is no error.
    expect(waiting!.f1Percent.from).toBeLessThan(95);
  });

  test('two checkers count both, and are compared with each other', () => {
    const one = times([[10, 40, 70]]);
    const both = [
      one,
      times([
        [12, 40, 70],
        [300, null, 360],
      ]),
    ];
    expect(compareTimes(both, one, { ...FILM, has: { waiting: true, served: false } })).toMatchObject({
      waiting: { marked: 3, ours: 2, matched: 2 },
      served: null,
      agreement: { checkers: 2, medianErrorSeconds: 2 },
    });
  });
});

test('labels are those that the command reads', () => {
  const csv = labelsCsv(
    times([
      [0, 12.5, 60],
      [30, null, null],
      [null, 5, 40.25],
    ]),
  );
  expect(parseLabels(csv, 'labels.csv').map(({ queue, service }) => [queue, service])).toEqual([
    [
      { from: 0, to: 12.5 },
      { from: 12.5, to: 60 },
    ],
    [{ from: 30, to: null }, null],
    [null, { from: 5, to: 40.25 }],
  ]);
});

test('a film has a picture in each slot', () => {
  const picture = (n: number) => new Uint8Array([n]);
  const slots = new Map([
    [2, picture(2)],
    [4, picture(4)],
  ]);
  expect([...filled(slots, 6)!]).toEqual([2, 2, 2, 2, 4, 4]);
  expect(filled(new Map(), 6)).toBeNull();
});

test.each([
  [{ joinedAt: 5, servedAt: 2, leftAt: 8 }, ['servedAt']],
  [{ joinedAt: 5, servedAt: null, leftAt: 4 }, ['leftAt']],
  [{ joinedAt: null, servedAt: 5, leftAt: 4 }, ['leftAt']],
  [{ joinedAt: 3, servedAt: 3, leftAt: null }, []],
])('of the times %j those that go back are named', (visit, expected) => {
  const { error } = timesAnswer.safeParse({ visits: [{ person: 'a', ...visit }] });
  expect((error?.issues ?? []).map(({ path }) => path.at(-1))).toEqual(expected);
});

describe('a check of times', () => {
  const clock = new TestClock();
  let api: TestApi;
  let user: ApiUser;
  beforeAll(async () => {
    api = await testApi({}, clock);
    user = await api.user();
    await api.context.images.writeId('storage-id', 'test');
  });
  afterAll(() => api.drop());

  test('of a recording is marked at once, compared with its visits, and its labels are a file', async () => {
    const { db } = api.context;
    const recording = await addRecording(api.context, user.userId, { durationMs: 300_000 });
    const { sceneId, deviceId } = recording;
    const started = await user.post(`/scenes/${sceneId}/times-checks`, { seconds: 600, from: 60 });
    expect([started.status, started.body.data]).toMatchObject([
      201,
      {
        ...{ kind: 'times', status: 'open', result: null, times: null },
        film: { seconds: 240, from: 60, recordingId: recording.id, fps: 4 },
      },
    ]);
    const { id } = started.body.data;
    const at = (second: number) => new Date(recording.recordedAt.getTime() + (60 + second) * 1000);
    const run = await db.analysisTask.create({ data: { userId: user.userId, sceneId, deviceId } });
    await db.visit.create({
      data: {
        ...{ taskId: run.id, sceneId, number: 1, trackId: 1, state: 'closed', outcome: 'abandoned' },
        ...{
          queueEnteredAt: at(12),
          queueLeftAt: at(70),
          arrivalDecidedAt: at(15),
          outcomeDecidedAt: at(75),
        },
      },
    });
    const visit = { person: 'red', joinedAt: 10, servedAt: null, leftAt: 70 };
    expect((await user.put(`/checks/${id}/times`, { visits: [visit] })).status).toBe(204);
    for (const [wrong, path] of [
      [{ ...visit, leftAt: 5 }, 'visits.0.leftAt'],
      [{ ...visit, joinedAt: null }, 'visits.0.joinedAt'],
      [{ ...visit, person: '' }, 'visits.0.person'],
      [{ ...visit, leftAt: 1e6 }, 'visits.0.leftAt'],
      [{ ...visit, leftAt: 240.1 }, 'visits.0.leftAt'],
      [{ ...visit, joinedAt: 300, leftAt: null }, 'visits.0.joinedAt'],
    ] as const) {
      const { status, body } = await user.put(`/checks/${id}/times`, { visits: [wrong] });
      expect([status, body.error.details[0].path]).toEqual([400, path]);
    }
    const late = await user.put(`/checks/${id}/times`, {
      visits: [visit, { ...visit, servedAt: 241, leftAt: 250 }],
    });
    expect(late.body.error.details).toEqual([
      { path: 'visits.1.servedAt', message: 'must be at most 240, where the film ends' },
    ]);
    expect((await user.get(`/checks/${id}`)).body.data.marked).toEqual([visit]);
    expect((await user.put(`/checks/${id}/times`, { visits: [{ ...visit, leftAt: 240 }] })).status).toBe(204);
    expect((await user.put(`/checks/${id}/times`, { visits: [visit] })).status).toBe(204);
    const labels = await user.get(`/checks/${id}/labels`);
    expect(String(labels.text ?? labels.body)).toContain('"red",10,70,,');

    const finished = await user.post(`/checks/${id}/finish`, { checkedBy: 'Ada' });
    expect(finished.body.data).toMatchObject({
      status: 'finished',
      times: {
        waiting: { matched: 1, lengths: { medianErrorSeconds: 2, meanOurs: 58, meanTheirs: 60 } },
        served: null,
      },
    });
    expect(codeOf(await user.put(`/checks/${id}/times`, { visits: [] }))).toEqual([404, 'NOT_FOUND']);
    expect((await user.get(`/scenes/${sceneId}/checks`)).body.data).toHaveLength(1);
  });

  test('shows a recording as pictures, its people only where the check says so', async () => {
    const recording = await addRecording(api.context, user.userId, { durationMs: 60_000 });
    const piece = async (query: string) => (await user.get(`/recordings/${recording.id}/film?${query}`)).body;
    const pictures = await piece('from=0&seconds=1');
    expect(pictures.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    const begins = [...pictures.toString('latin1').matchAll(/\xff\xd9(?=\xff\xd8)/g)].length + 1;
    expect(begins).toBe(4);
    await user.patch('/users/me', { blurPeople: 'bodies' });
    const started = await user.post(`/scenes/${recording.sceneId}/times-checks`, {
      ...{ seconds: 30, showsPeople: true },
    });
    expect((await piece('from=0&seconds=1')).equals(pictures)).toBe(false);
    const { id } = started.body.data;
    expect((await piece(`from=0&seconds=1&checkId=${id}`)).equals(pictures)).toBe(true);
    const { key } = (await user.post('/api-keys', { name: 'screen', scopes: ['device:read'] })).body.data;
    const path = `/recordings/${recording.id}/film?from=0&seconds=1&checkId=${id}`;
    const seen = await user.get(path).set('Authorization', `Bearer ${key}`);
    expect(codeOf(seen)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    await user.post(`/checks/${id}/finish`, {});
    const gone = await user.get(`/recordings/${recording.id}/film?checkId=${id}`);
    expect(codeOf(gone)).toEqual([404, 'NOT_FOUND']);
  });

  test('of a camera films from now on, one at a time, also while a check with stills goes on', async () => {
    const { sceneId } = await shopOf(user);
    await user.post(`/scenes/${sceneId}/checks`, {});
    const started = await user.post(`/scenes/${sceneId}/times-checks`, { seconds: 60 });
    expect(started.body.data).toMatchObject({ status: 'collecting', film: { recordingId: null, fps: 2 } });
    expect(codeOf(await user.post(`/scenes/${sceneId}/times-checks`, {}))).toEqual([409, 'LIMIT_REACHED']);
    for (const [body, path] of [
      [{ seconds: 29 }, 'seconds'],
      [{ seconds: 1201 }, 'seconds'],
      [{ from: -1 }, 'from'],
    ] as const) {
      const { status, body: answer } = await user.post(`/scenes/${sceneId}/times-checks`, body);
      expect([status, answer.error.details[0].path]).toEqual([400, path]);
    }
    const { id } = started.body.data;
    await api.context.db.checkFilm.create({ data: { checkId: id, piece: 1, jpegs: new Uint8Array([1, 2]) } });
    for (const piece of [1, 3600])
      expect((await user.get(`/checks/${id}/film?piece=${piece}`)).status).toBe(404);
    const [due] = await claimDueFilms(api.context.db, { at: clock.time, until: clock.time, limit: 1 });
    expect(due).toMatchObject({ id, pieces: 2 });
    const stopped = await user.post(`/checks/${id}/stop`);
    expect(Date.parse(stopped.body.data.endsAt) - Date.parse(stopped.body.data.startedAt)).toBe(20_000);
    expect(stopped.body.data).toMatchObject({ status: 'open', endReason: 'stopped', film: { seconds: 20 } });
    const pieces = await Promise.all([0, 1, 2].map((piece) => user.get(`/checks/${id}/film?piece=${piece}`)));
    expect(pieces.map(({ status }) => status)).toEqual([200, 200, 404]);
    // The first piece was filmed by nobody.
    expect(pieces.slice(0, 2).map(({ headers }) => headers['content-length'])).toEqual(['0', '2']);
    expect((await (await api.user()).get(`/checks/${id}/film?piece=1`)).status).toBe(404);
    await user.post(`/checks/${id}/finish`, {});
    expect(await api.context.db.checkFilm.count({ where: { checkId: id } })).toBe(0);
  });
});
