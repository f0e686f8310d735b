import { describe, expect, test } from '@jest/globals';
import { type BoxPen, countPeople, drawBoxes, drawStaff } from '../../../src/page/scene/live-boxes.ts';
import {
  isActive,
  type SceneState,
  type StateFacts,
  sceneState,
} from '../../../src/page/scene/scene-state.ts';
import { type Numbers, sharedStart, tillsShown } from '../../../src/page/scene/tills-shown.ts';

test.each([
  ['now', 5, true, 'free'],
  ['numbers that are too old', 31, true, 'unknown'],
  ['a stopped analysis', 5, false, 'unknown'],
] as const)('a till: %s', (_, ageSeconds, isCurrent, state) => {
  const [nowMs, since] = [Date.UTC(2026, 10, 23, 12), '2026-11-23T11:58:00.000Z'];
  const updatedAt = new Date(nowMs - ageSeconds * 1000).toISOString();
  const metrics = {
    tills: [{ id: 'a', name: 'Till 1', state: 'free', since }],
  } as unknown as Numbers['metrics'];
  const expected = { id: 'a', name: 'Till 1', state, since: state === 'free' ? since : updatedAt };
  expect(tillsShown({ metrics, updatedAt }, isCurrent, nowMs)).toEqual([expected]);
});

test.each([
  ['Till ', ['Till 1', 'Till 2', 'Till 12']],
  ['Row A till ', ['Row A till 1', 'Row A till 2']],
  ['', ['Till 1', 'Tilly 2']],
  ['', ['Till 1', 'Entrance']],
  ['', ['Till', 'Till 2']],
  ['', ['Till 1']],
  ['', []],
])('the names of tills begin with "%s"', (start, names) => {
  expect(sharedStart(names)).toBe(start);
});

const STOPPED: StateFacts = {
  analysisStatus: 'stopped',
  hasFault: false,
  onlineStatus: 'online',
  isDisabled: false,
};

describe('what a scene does', () => {
  test.each<[SceneState, Partial<StateFacts>]>([
    ['stopped', {}],
    ['stopped', { analysisStatus: 'idle', onlineStatus: 'unknown' }],
    ['offline', { onlineStatus: 'offline' }],
    ['failed', { analysisStatus: 'error', onlineStatus: 'offline' }],
    ['disabled', { analysisStatus: 'error', isDisabled: true }],
    ['stopping', { analysisStatus: 'stopping', hasFault: true }],
    ['starting', { analysisStatus: 'starting' }],
    ['waitsForCapacity', { analysisStatus: 'starting', waitingFor: 'capacity' }],
    ['waitsForNode', { analysisStatus: 'starting', waitingFor: 'node', hasFault: true }],
    ['faulty', { analysisStatus: 'starting', hasFault: true }],
    ['faulty', { analysisStatus: 'running', hasFault: true, onlineStatus: 'offline' }],
    // A run that a node has goes on until its quota is used up.
    ['live', { analysisStatus: 'running', isDisabled: true }],
  ])('%s: %p', (state, facts) => expect(sceneState({ ...STOPPED, ...facts })).toBe(state));

  test('can be stopped while there is a run', () => {
    const states: SceneState[] = [
      'live',
      'faulty',
      'waitsForNode',
      'stopping',
      'stopped',
      'failed',
      'disabled',
    ];
    expect(states.filter(isActive)).toEqual(['live', 'faulty', 'waitsForNode']);
  });
});

describe('boxes of people', () => {
  const look = {
    ...{ queue: 'red', checkout: 'blue', staff: 'violet', other: 'grey', edge: 'black', line: 2 },
  };
  const box = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.7 };
  const tracks = [
    { ...box, id: 1, zone: 'queue' },
    { ...box, id: 2, zone: 'checkout' },
    { ...box, id: 3, zone: null },
  ] as const;

  function recordingPen() {
    const calls: unknown[][] = [];
    const pen = new Proxy({} as BoxPen, {
      get:
        (_, name) =>
        (...values: number[]) =>
          void calls.push([name, ...values.map((each) => Math.round(each))]),
      set: (_, name, value) => calls.push([name, value]) > 0,
    });
    return { calls, pen };
  }

  test('of staff have a triangle', () => {
    const { calls, pen } = recordingPen();
    drawStaff(pen, [{ ...box, id: 4, reason: 'stays_at_till' }], { width: 640, height: 360, look });
    expect(calls.find(([name]) => name === 'strokeRect')).toEqual(['strokeRect', 64, 72, 128, 180]);
    expect(calls.filter(([name]) => name === 'moveTo' || name === 'lineTo')).toEqual([
      ['moveTo', 128, 247],
      ['lineTo', 133, 257],
      ['lineTo', 123, 257],
    ]);
    expect(calls).toContainEqual(['fillStyle', 'violet']);
  });

  test('lie where their people are in the picture, and tell zones apart by a mark', () => {
    const { calls, pen } = recordingPen();
    drawBoxes(pen, tracks, { width: 640, height: 360, look });
    const rects = calls.filter(([name]) => name === 'strokeRect');
    expect(rects).toHaveLength(6);
    for (const rect of rects) expect(rect).toEqual(['strokeRect', 64, 72, 128, 180]);
    expect(
      calls.filter(([name]) => name === 'arc' || name === 'rect').map(([name, x, y]) => [name, x, y]),
    ).toEqual([
      ['arc', 128, 252],
      ['rect', 123, 247],
    ]);
    expect(
      calls.filter(([name, value]) => name === 'strokeStyle' && value !== 'black').map(([, value]) => value),
    ).toEqual(['red', 'blue', 'grey']);
  });

  test('are counted by zone', () =>
    expect(countPeople(tracks)).toEqual({ queue: 1, checkout: 1, others: 1 }));
});
