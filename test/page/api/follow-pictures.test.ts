import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { BOUNDARY, CLOSING, OPENING, Part } from '../../../src/http/part.ts';
import {
  followPictures,
  type PicturesState,
  pauseAfter,
  pauseFor,
} from '../../../src/page/api/follow-pictures.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const servers: Server[] = [];
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const picture = (second: number, headers = {}) =>
  new Part('image/jpeg', Buffer.from(`jpeg ${second}`), {
    'X-Captured-At': new Date(second * 1000).toISOString(),
    'X-Live': 'frames',
    ...headers,
  }).bytes;
const begin = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}` });
  response.write(OPENING);
};
/** An answer with these pictures, which then ends. */
const pictures =
  (...parts: Uint8Array[]): Answer =>
  (response) => {
    begin(response);
    for (const part of parts) response.write(part);
    response.end(CLOSING);
  };
const refusal =
  (status: number, headers = {}): Answer =>
  (response) => {
    const body = {
      success: false,
      message: 'Not now',
      error: { code: `CODE_${status}`, details: [] },
      meta: {},
    };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

interface Followed {
  readonly states: PicturesState[];
  readonly shown: number[];
  /** Milliseconds of the pauses. */
  readonly pauses: number[];
  readonly open: () => number;
  readonly stop: () => void;
  /** As if nothing had come for a long time. */
  readonly beSilent: () => void;
  readonly over: Promise<void>;
}

/** Follows a server that gives one answer after the other; the last pause ends it. */
async function follow(answers: readonly Answer[]): Promise<Followed> {
  let [asked, open] = [0, 0];
  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    answers[asked++]!(response, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  ends.push(stop);
  let beSilent = () => {};
  const [states, shown, pauses]: [PicturesState[], number[], number[]] = [[], [], []];
  const over = followPictures(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/live`,
      show: ({ capturedAtMs }) => shown.push(capturedAtMs / 1000),
      tell: (state) => states.push(state),
      pause: async (ms) => {
        pauses.push(ms);
        if (asked === answers.length) stop();
      },
      random: () => 0.5,
      after: (_ms, act) => {
        beSilent = act;
        return () => {
          beSilent = () => undefined;
        };
      },
    },
    stopping.signal,
  );
  return { states, shown, pauses, open: () => open, stop, beSilent: () => beSilent(), over };
}
const kinds = ({ states }: Followed) => states.map(({ kind }) => kind);

describe('live pictures', () => {
  test('are followed again when the answer ends, after pauses that grow only while none comes', async () => {
    const away: Answer = (response) => void response.destroy();
    const followed = await follow([pictures(picture(1)), away, away, pictures(picture(2)), away]);
    await followed.over;
    expect(followed.shown).toEqual([1, 2]);
    expect(followed.pauses).toEqual([1_000, 2_000, 4_000, 1_000, 2_000]);
    const once = ['connecting', 'live', 'waiting'];
    expect(kinds(followed)).toEqual([
      ...once,
      'connecting',
      'waiting',
      'connecting',
      'waiting',
      ...once,
      'connecting',
      'waiting',
    ]);
  });

  test('are shown once, although the API repeats the last one, and of several that came together the newest', async () => {
    const all = Buffer.concat([picture(1), picture(2), picture(2), picture(1)]);
    const followed = await follow([pictures(all, picture(3), picture(3))]);
    await followed.over;
    expect([...new Set(followed.shown)]).toEqual(followed.shown);
    expect(followed.shown.at(-1)).toBe(3);
  });

  test.each([401, 403, 404])('are given up after %p', async (status) => {
    const followed = await follow([refusal(status)]);
    await followed.over;
    expect(followed.states.at(-1)).toMatchObject({
      kind: 'refused',
      failure: { status, message: 'Not now' },
    });
    expect(followed.pauses).toEqual([]);
  });

  test('are asked for again after the seconds that the API names', async () => {
    const followed = await follow([refusal(503, { 'retry-after': '10' }), refusal(409), refusal(429)]);
    await followed.over;
    expect(followed.pauses).toEqual([10_000, 2_000, 4_000]);
    expect(followed.states[1]).toMatchObject({ kind: 'waiting', failure: { code: 'CODE_503' } });
  });

  test.each<[string, Answer]>([
    [
      'an answer of a proxy',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['an error that is no JSON', (response) => response.writeHead(502).end('<p>')],
    [
      'parts that cannot be read',
      (response) => {
        begin(response);
        response.end('Content-Length: 3\r\n\r\nabcdef');
      },
    ],
  ])('wait after %s', async (_, answer) => {
    const followed = await follow([answer]);
    await followed.over;
    expect(kinds(followed)).toEqual(['connecting', 'waiting']);
  });

  test('close their connection at once when nobody looks any more', async () => {
    const followed = await follow([
      (response) => {
        begin(response);
        response.write(picture(1));
      },
    ]);
    await new Promise<void>((resolve) => {
      const look = () => (followed.shown.length > 0 ? resolve() : setImmediate(look));
      look();
    });
    expect(followed.open()).toBe(1);
    followed.stop();
    await followed.over;
    await new Promise<void>((resolve) => {
      const look = () => (followed.open() === 0 ? resolve() : setImmediate(look));
      look();
    });
    expect(kinds(followed)).toEqual(['connecting', 'live']);
  });

  test('are asked for again when nothing comes any more', async () => {
    const followed: Followed = await follow([
      (response) => {
        begin(response);
        followed.beSilent();
      },
    ]);
    await followed.over;
    expect(kinds(followed)).toEqual(['connecting', 'waiting']);
  });

  test('wait at most 36 seconds', () => {
    for (const failures of [0, 1, 5, 50, 5_000]) {
      expect(Math.round(pauseAfter(failures, () => 1))).toBeLessThanOrEqual(36_000);
      expect(pauseAfter(failures, () => 0)).toBeGreaterThanOrEqual(800);
    }
  });

  test('a pause ends with its time, or at once when nobody looks any more', async () => {
    const ending = new AbortController();
    const aborted = pauseFor(86_400_000, ending.signal);
    ending.abort();
    await Promise.all([
      pauseFor(1, new AbortController().signal),
      aborted,
      pauseFor(86_400_000, ending.signal),
    ]);
  });
});
