import { beforeEach, expect, test } from '@jest/globals';
import { createStills, type Stills } from '../../../src/page/now/stills.ts';

/** A clock whose timers act when the test moves it, and requests that the test answers. */
let nowMs = 0;
let timers: { atMs: number; act: () => void }[] = [];
let asked: string[] = [];
let open: { deviceId: string; answer: (picture: Blob | null) => void; fail: () => void }[] = [];
let stills: Stills;

beforeEach(() => {
  [nowMs, timers, asked, open] = [0, [], [], []];
  stills = createStills({
    nowMs: () => nowMs,
    after: (ms, act) => {
      const timer = { atMs: nowMs + ms, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    read: (deviceId) => {
      asked.push(deviceId);
      return new Promise((answer, reject) =>
        open.push({ deviceId, answer, fail: () => reject(new Error()) }),
      );
    },
  });
});

const pass = (ms: number) => {
  nowMs += ms;
  const due = timers.filter(({ atMs }) => atMs <= nowMs);
  timers = timers.filter(({ atMs }) => atMs > nowMs);
  for (const { act } of due) act();
};
const settled = () => new Promise((resolve) => setImmediate(resolve));
const answerAll = async (picture: Blob | null) => {
  for (const { answer } of open.splice(0)) answer(picture);
  await settled();
};
const PICTURE = new Blob(['1']);
const nothing = () => undefined;

test('the pictures of 200 cameras are read three at a time, each once in 30 s', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `camera ${at}`);
  for (const name of names) stills.watch(name, nothing);
  expect(asked).toEqual([]);
  pass(600);
  for (let read = 0; read < 200; read += open.length || 1) {
    expect(open.length).toBeLessThanOrEqual(3);
    await answerAll(PICTURE);
  }
  expect(asked).toEqual(names);
  await answerAll(PICTURE);
  pass(29_999);
  expect(asked).toHaveLength(200);
  pass(1);
  expect(asked).toHaveLength(203);
});

test('nothing is read for a tile that only passes by, and one that comes back shows what it had', async () => {
  stills.watch('passing', nothing)();
  pass(600);
  expect(asked).toEqual([]);
  const leave = stills.watch('till', nothing);
  pass(600);
  await answerAll(PICTURE);
  leave();
  pass(60_000);
  expect([asked, timers]).toEqual([['till'], []]);
  stills.watch('till', nothing);
  expect(stills.get('till')).toBe(PICTURE);
  pass(600);
  expect(asked).toEqual(['till', 'till']);
});

test('two tiles of a device share its picture', async () => {
  const heard: string[] = [];
  for (const tile of ['queue', 'counter']) stills.watch('till', () => heard.push(tile));
  pass(600);
  expect(asked).toEqual(['till']);
  await answerAll(PICTURE);
  expect(heard).toEqual(['queue', 'counter']);
});

test('a camera that gives none has none; when nobody answers, the picture before stays', async () => {
  stills.watch('till', nothing);
  pass(600);
  await answerAll(PICTURE);
  pass(30_000);
  for (const { fail } of open.splice(0)) fail();
  await settled();
  expect(stills.get('till')).toBe(PICTURE);
  pass(30_000);
  await answerAll(null);
  expect([asked.length, stills.get('till')]).toEqual([3, null]);
});
