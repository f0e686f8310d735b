import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { type RunningServer, startServer } from '../../../src/http/server/server.ts';
import { removeUnknownRecordings } from '../../../src/runs/recordings/sweep.job.ts';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { addRecording, CLIP } from '../../support/rows/recordings.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const MAX_BYTES = 200_000;
const WHERE = 'recordedAt=2026-11-01T09:00:00%2B01:00&timezone=Europe/Berlin';
const clock = new TestClock();

let api: TestApi;
let server: RunningServer;
let user: ApiUser;
let folder: string;
const agent = new Agent();

beforeAll(async () => {
  api = await testApi(
    {
      RECORDING_MAX_BYTES: String(MAX_BYTES),
      RECORDING_MAX_HOURS: '0.01',
      UPLOAD_IDLE_SECONDS: '1',
      UPLOAD_MIN_BYTES_PER_SECOND: '2000',
    },
    clock,
  );
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  user = await api.user();
  folder = scratchFolder();
});
afterAll(async () => {
  await agent.destroy();
  await server?.stop();
  await api?.drop();
  await rm(folder, { recursive: true, force: true });
});

const stored = (): string[] => {
  const path = join(api.imagesDir, 'recordings');
  return existsSync(path) ? readdirSync(path) : [];
};

interface Sent {
  readonly body: Buffer | Readable;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly as?: ApiUser;
}

async function upload({ body, query = WHERE, headers = {}, as = user }: Sent) {
  const response = await request(`${server.url}/api/v1/recordings?${query}`, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.key}`,
      'content-type': 'application/octet-stream',
      ...headers,
    },
    body,
  });
  const answer = (await response.body.json()) as {
    data: Record<string, unknown> & { id: string; deviceId: string; sceneId: string };
    message?: string;
    error?: { code: string; details?: { reason?: string }[] };
  };
  return { status: response.statusCode, headers: response.headers, ...answer };
}

/** `[status, code, reason]` */
const fault = ({ status, error }: Awaited<ReturnType<typeof upload>>) => [
  status,
  error?.code,
  error?.details?.[0]?.reason,
];

async function made(name: string, ...argv: string[]): Promise<Buffer> {
  const path = join(folder, name);
  await runFfmpeg(...argv, path);
  return readFileSync(path);
}
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=5'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=2'];

test('a file is stored while it arrives, read, and shown with what it says of itself', async () => {
  const { status, data } = await upload({ body: CLIP, query: `${WHERE}&name=Friday` });
  expect(status).toBe(201);
  expect(data).toMatchObject({
    name: 'Friday',
    ...{ format: 'mp4', codec: 'h264', sizeBytes: CLIP.length, durationSeconds: 2, sourceFps: 5 },
    ...{ width: 64, height: 36, recordedAt: '2026-11-01T08:00:00.000Z', timezone: 'Europe/Berlin' },
    analysis: { status: 'none', progressPercent: null, taskId: null },
  });
  expect(stored()).toHaveLength(1);
  const listed = await user.get('/recordings?q=frid');
  expect(listed.body).toMatchObject({ data: [data], meta: { pagination: { total: 1 } } });
  expect((await user.get(`/recordings/${data.id}`)).body.data).toEqual(data);
});

test('webm is accepted, whatever its type and name say', async () => {
  const body = await made('clip.webm', ...VIDEO, '-t', '1', '-c:v', 'libvpx');
  const { status, data } = await upload({ body, headers: { 'content-type': 'video/x-anything' } });
  expect([status, data.format, data.durationSeconds]).toEqual([201, 'webm', 1]);
});

test.each([
  ['mpegps', 'a program stream', 'program.mp4', ['-f', 'vob', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
  ['avi', 'an AVI', 'clip.avi', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
  ['mkv', 'a part that begins at 30 hours', 'part.mkv', ['-c:v', 'libx264', '-output_ts_offset', '108000']],
])('%s: %s is accepted with its own length, and has images', async (format, _what, name, options) => {
  const body = await made(name, ...VIDEO, '-t', '2', ...options);
  const { status, data } = await upload({ body });
  expect([status, data.format, data.warnings]).toEqual([201, format, []]);
  expect(Number(data.durationSeconds)).toBeCloseTo(2, 0);
  expect((await user.get(`/recordings/${data.id}/frame?at=1`)).status).toBe(200);
});

test('of several videos the largest is shown and measured; another one can be chosen, at the upload and later', async () => {
  const small = ['-f', 'lavfi', '-i', 'testsrc=size=32x18:rate=5'];
  const large = ['-f', 'lavfi', '-i', 'testsrc=size=128x72:rate=5'];
  const both = ['-map', '0', '-map', '1', '-t', '1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
  const body = await made('two.mp4', ...small, ...large, ...both);
  const { data: shown } = await upload({ body });
  expect(shown).toMatchObject({ width: 128, height: 72 });
  const first = await user.get(`/recordings/${shown.id}/frame?at=0.5`);
  expect(await sharp(first.body as Buffer).metadata()).toMatchObject({ width: 128, height: 72 });
  const { data } = await upload({ body, query: `${WHERE}&videoTrack=0` });
  const videoTracks = [
    { number: 0, width: 32, height: 18, codec: 'h264', sourceFps: 5 },
    { number: 1, width: 128, height: 72, codec: 'h264', sourceFps: 5 },
  ];
  expect(data).toMatchObject({ width: 32, height: 18, videoTrack: 0, videoTracks });
  const { body: changed } = await user.patch(`/recordings/${data.id}`, { videoTrack: 1 });
  expect(changed.data).toMatchObject({ width: 128, height: 72, videoTrack: 1, videoTracks });
  const still = await user.get(`/recordings/${data.id}/frame?at=0.5`);
  expect(await sharp(still.body as Buffer).metadata()).toMatchObject({ width: 128, height: 72 });
  for (const videoTrack of [2, -1, 0.5, '0', null]) {
    const refused = await user.patch(`/recordings/${data.id}`, { videoTrack });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details[0].path).toBe('videoTrack');
  }
  const none = await upload({ body, query: `${WHERE}&videoTrack=7` });
  expect(none.status).toBe(400);
  expect(JSON.stringify(none)).toContain('it has 0 (32 × 18), 1 (128 × 72)');
});

test('a time-lapse is accepted with a warning', async () => {
  const slow = ['-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=1/4', '-t', '24', '-c:v', 'libx264'];
  const { status, data } = await upload({ body: await made('slow.mp4', ...slow) });
  expect([status, data.warnings]).toEqual([
    201,
    [{ reason: 'few_frames', message: expect.stringContaining('one frame every 4 seconds') }],
  ]);
});

describe('a file is refused with what is wrong with it, and leaves nothing', () => {
  test('when it is no video that can be analysed', async () => {
    const before = stored();
    const faults = async (body: Buffer) => fault(await upload({ body }));
    const refused = (reason: string) => [400, 'UNREADABLE_VIDEO', reason];
    expect(await faults(Buffer.from('%PDF-1.7 but called clip.mp4'))).toEqual(refused('not_a_video'));
    expect(await faults(Buffer.alloc(100_000, 'x'))).toEqual(refused('not_a_video'));
    expect(await faults(await made('sound.mp4', ...SOUND))).toEqual(refused('no_video'));
    // Its index is at the end.
    const late = await made('late.mp4', ...VIDEO, '-t', '2', '-c:v', 'libx264');
    expect(await faults(late.subarray(0, late.length / 2))).toEqual(refused('no_index'));
    const cut = await made('cut.mkv', ...VIDEO, '-t', '1', '-c:v', 'libx264', '-f', 'matroska', '-live', '1');
    expect(await faults(cut)).toEqual(refused('unknown_duration'));
    const long = await made('long.mp4', ...VIDEO, '-t', '40', '-c:v', 'libx264', '-g', '200');
    const tooLong = await upload({ body: long });
    expect([fault(tooLong), tooLong.message]).toEqual([
      refused('too_long'),
      expect.stringContaining('RECORDING_MAX_HOURS'),
    ]);
    const empty = Buffer.concat([CLIP.subarray(0, 64), Buffer.alloc(5000)]);
    expect((await faults(empty)).slice(0, 2)).toEqual([400, 'UNREADABLE_VIDEO']);
    expect(stored()).toEqual(before);
  });

  test('when it is larger than allowed: announced, and only found out while it arrives', async () => {
    const before = stored();
    const announced = await upload({ body: Buffer.alloc(MAX_BYTES + 1) });
    expect(fault(announced).slice(0, 2)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    // More than the memory would hold, if it were kept; it stops at the limit.
    let sent = 0;
    const endless = Readable.from(
      (async function* () {
        yield CLIP;
        for (; sent < 50_000_000; sent += 65_536) yield Buffer.alloc(65_536);
      })(),
    );
    const found = await upload({ body: endless }).catch((error: Error) => error);
    // The server may close while the client still sends.
    if (!(found instanceof Error)) expect(fault(found).slice(0, 2)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(stored()).toEqual(before);
  });

  test('when the storage has no room for it; with room it is taken', async () => {
    const disk = mountSmallDisk();
    // Only some accounts may mount one.
    if (disk === null) return;
    const recordings = join(api.imagesDir, 'recordings');
    const aside = `${recordings}-aside`;
    mkdirSync(recordings, { recursive: true });
    renameSync(recordings, aside);
    symlinkSync(disk.folder, recordings);
    try {
      disk.fill();
      const refused = await upload({ body: CLIP });
      expect(fault(refused).slice(0, 2)).toEqual([507, 'STORAGE_FULL']);
      expect(refused.message).toContain('delete recordings');
      expect(stored()).toEqual(['filler']);
      disk.makeSpace();
      const taken = await upload({ body: CLIP });
      expect(taken.status).toBe(201);
      expect((await user.delete(`/recordings/${taken.data.id}`)).status).toBe(204);
    } finally {
      unlinkSync(recordings);
      renameSync(aside, recordings);
      disk.remove();
    }
  });

  test('when it is a form, compressed, empty or without its parameters', async () => {
    const form = await upload({ body: CLIP, headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    expect(fault(form).slice(0, 2)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const packed = await upload({ body: CLIP, headers: { 'content-encoding': 'gzip' } });
    expect(fault(packed).slice(0, 2)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(fault(await upload({ body: Buffer.alloc(0) })).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR']);
    for (const query of [
      'timezone=Europe/Berlin',
      'recordedAt=2026-11-01',
      'recordedAt=2026-11-01&timezone=Nowhere',
      'recordedAt=1999-12-31&timezone=UTC',
      'recordedAt=2100-01-01&timezone=UTC',
      `${WHERE}&name=`,
      `${WHERE}&zone=1`,
    ])
      expect([query, ...fault(await upload({ body: CLIP, query })).slice(0, 2)]).toEqual([
        query,
        400,
        'VALIDATION_ERROR',
      ]);
  });
});

describe('an upload that breaks off leaves nothing', () => {
  /** Sends the beginning of an upload by hand. */
  function begin(): ReturnType<typeof connect> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      [
        `POST /api/v1/recordings?${WHERE} HTTP/1.1`,
        ...['Host: x', `Authorization: Bearer ${user.key}`, 'Content-Type: video/mp4'],
        ...[`Content-Length: ${CLIP.length}`, '', ''],
      ].join('\r\n'),
    );
    socket.write(CLIP.subarray(0, 1_000));
    return socket;
  }

  test('when the client goes away', async () => {
    const before = stored();
    const rows = await api.context.db.recording.count();
    const socket = begin();
    await eventually('bytes are stored', () => stored().length > before.length);
    socket.destroy();
    await eventually('they are removed', () => stored().length === before.length);
    expect(await api.context.db.recording.count()).toBe(rows);
  });

  test('when no byte comes any more', async () => {
    const before = stored();
    const socket = begin();
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += String(text);
    });
    await eventually('an answer', () => answer.includes('UPLOAD_INCOMPLETE'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
    expect(stored()).toEqual(before);
  });

  test('when its bytes drip', async () => {
    const before = stored();
    const socket = begin();
    let [answer, sent] = ['', 1_000];
    socket.setEncoding('utf8').on('data', (text) => {
      answer += String(text);
    });
    const drip = setInterval(() => {
      socket.write(CLIP.subarray(sent, sent + 1));
      sent += 1;
    }, 20);
    await eventually('an answer', () => answer.includes('UPLOAD_INCOMPLETE'));
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"reason":"too_slow"');
    expect(answer).toContain('UPLOAD_MIN_BYTES_PER_SECOND');
    socket.destroy();
    expect(stored()).toEqual(before);
  });

  test('when its program is killed: a job removes what is left of it after a day', async () => {
    const { context } = api;
    const kept = stored();
    const leftOver = await addRecording(context, user.userId);
    await context.db.recording.delete({ where: { id: leftOver.id } });
    expect(stored()).toHaveLength(kept.length + 1);
    await context.images.writeId('storage-id', 'test');
    await context.db.setting.upsert({
      where: { key: 'storageId' },
      create: { key: 'storageId', value: (await context.images.readId('storage-id'))! },
      update: {},
    });
    expect(await removeUnknownRecordings(context)).toBe(0);
    clock.forward(2 * 86_400);
    expect(await removeUnknownRecordings(context)).toBe(1);
    expect(stored().sort()).toEqual(kept.sort());
  });
});

test('with an Idempotency-Key a repeated upload is stored once', async () => {
  const headers = { 'idempotency-key': 'upload-1' };
  const first = await upload({ body: CLIP, headers });
  const files = stored().length;
  const again = await upload({ body: CLIP, headers });
  expect([first.status, again.data.id, again.headers['idempotency-replayed']]).toEqual([
    201,
    first.data.id,
    'true',
  ]);
  expect(stored()).toHaveLength(files);
  const other = await upload({ body: CLIP.subarray(1), headers });
  expect(fault(other).slice(0, 2)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
});

test('an image at any time of the recording, in the wanted size, without what a mask hides', async () => {
  const { data } = await upload({ body: CLIP });
  const image = (query: string) => user.get(`/recordings/${data.id}/frame${query}`).buffer(true);
  const first = await image('');
  expect([first.status, first.headers['x-captured-at']]).toEqual([200, '2026-11-01T08:00:00.000Z']);
  expect(await sharp(first.body as Buffer).metadata()).toMatchObject({ width: 64, height: 36 });
  const last = await image('?at=1.99&width=64');
  expect([last.status, last.headers['x-captured-at']]).toEqual([200, '2026-11-01T08:00:01.990Z']);
  expect((last.body as Buffer).equals(first.body as Buffer)).toBe(false);
  expect(codeOf(await user.get(`/recordings/${data.id}/frame?at=2`))).toEqual([400, 'VALIDATION_ERROR']);
  const mask = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const changed = await user.patch(`/recordings/${data.id}`, {
    privacyMask: [{ type: 'polygon', points: mask }],
  });
  expect([changed.status, changed.body.data.privacyMask]).toEqual([200, [{ type: 'polygon', points: mask }]]);
  const { channels } = await sharp((await image('')).body as Buffer).stats();
  expect(Math.max(...channels.map(({ max }) => max))).toBeLessThan(8);
});
