import { describe, expect, test } from '@jest/globals';
import type { LiveScene } from '../../../src/page/api/live-scenes.ts';
import { leadOf } from '../../../src/page/now/lead.ts';
import { OLD_MS, type Reason, reasonOf, totalsOf, worstFirst } from '../../../src/page/now/state.ts';
import { againstTarget, levelAgainst } from '../../../src/page/now/target-state.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const NUMBERS = {
  ...{ inQueue: 3, inService: 1, totalPresent: 4, avgWaitSeconds: 20, maxWaitSeconds: 60 },
  ...{ avgServiceSeconds: 40, maxServiceSeconds: 50, estimatedWaitSeconds: 120 },
  ...{ estimatedWaitLowSeconds: null, estimatedWaitHighSeconds: null },
  ...{ openTills: null, servingTills: null, freeTills: null },
};
const FAULT = { reason: 'unreachable' as const, message: 'It does not answer.', since: ago(60) };
const WARNING = { reason: 'view_changed' as const, message: 'It was moved.', since: ago(60) };

const scene = (changes: Partial<LiveScene> = {}, device: Partial<LiveScene['device']> = {}): LiveScene => ({
  ...{ id: 'a', name: 'Till', status: 'active', analysisStatus: 'running', run: null, effectiveTarget: null },
  ...{
    isFiring: false,
    firingSeverity: null,
    lastAlert: null,
    fault: null,
    current: NUMBERS,
    tills: [],
    updatedAt: ago(1),
  },
  ...{ spark: { start: ago(3600), bucketSeconds: 300, avgInQueue: [] }, advice: null, unusual: null },
  effectiveTarget: null,
  device: {
    ...{
      id: 'd',
      name: 'Camera',
      timezone: null,
      onlineStatus: 'online',
      lastError: null,
      isDisabled: false,
    },
    ...{ siteIds: [], warnings: [], ...device },
  },
  ...changes,
});

/** Who joins may wait longer than 200 s. */
const LATE = { ...NUMBERS, estimatedWaitSeconds: 170, estimatedWaitHighSeconds: 210 };
const heldTo = (waitSeconds: number) => ({ effectiveTarget: { waitSeconds, share: 0.9 } });

describe('the state of a scene', () => {
  test.each<[string, LiveScene, Reason]>([
    ['numbers, no target and no rule that fires', scene(), 'counting'],
    ['a wait within the target', scene(heldTo(200)), 'fine'],
    ['a wait close to it', scene(heldTo(125)), 'close'],
    ['a wait above it', scene(heldTo(119)), 'over'],
    ['above it, also while a warning fires', scene({ ...heldTo(119), isFiring: true }), 'over'],
    ['close to it while a warning fires', scene({ ...heldTo(125), isFiring: true }), 'warning'],
    ['within it, but the camera was moved', scene(heldTo(200), { warnings: [WARNING] }), 'uncertain'],
    ['a warning fires', scene({ isFiring: true, firingSeverity: 'warning' }), 'warning'],
    ['a critical rule fires', scene({ isFiring: true, firingSeverity: 'critical' }), 'critical'],
    ['the camera was moved', scene({}, { warnings: [WARNING] }), 'uncertain'],
    ['a rule fires and the camera was moved', scene({ isFiring: true }, { warnings: [WARNING] }), 'warning'],
    ['a fault, also while a rule still fires', scene({ fault: FAULT, isFiring: true }), 'fault'],
    ['a fault of a scene that nobody analyses', scene({ fault: FAULT, analysisStatus: 'idle' }), 'stopped'],
    ['the camera is offline', scene({}, { onlineStatus: 'offline' }), 'offline'],
    ['the numbers are just not old', scene({ updatedAt: ago(OLD_MS / 1000) }), 'counting'],
    ['the numbers are old', scene({ updatedAt: ago(OLD_MS / 1000 + 1), isFiring: true }), 'old'],
    ['no numbers yet', scene({ current: null, updatedAt: null }), 'starting'],
    ['it waits for a node', scene({ run: waitingRun() }), 'waiting'],
    ['it failed', scene({ analysisStatus: 'error' }), 'failed'],
    ['it was stopped', scene({ analysisStatus: 'stopped' }), 'stopped'],
    ['the clock of the node is ahead', scene({ updatedAt: ago(-30) }), 'counting'],
  ])('%s', (_name, given, reason) => {
    expect(reasonOf(given, NOW)).toBe(reason);
  });
});

function waitingRun(): LiveScene['run'] {
  return { analysisId: 'r', status: 'initializing', startedAt: null, errorMessage: null, waitingFor: 'node' };
}

const wait = (id: string, estimatedWaitSeconds: number | null, changes: Partial<LiveScene> = {}) =>
  scene({ id, current: { ...NUMBERS, estimatedWaitSeconds }, ...changes });

test('the worst scene is first: by its state, then by the longest wait; equal ones keep their order', () => {
  const all = [
    wait('stopped', 900, { analysisStatus: 'stopped' }),
    wait('short', 10),
    wait('unknown', null),
    wait('long', 300),
    wait('same as short', 10),
    wait('fault', 0, { fault: FAULT }),
    wait('warning', 5, { isFiring: true, firingSeverity: 'warning' }),
    wait('critical', 1, { isFiring: true, firingSeverity: 'critical' }),
  ];
  expect(worstFirst(all, NOW)).toEqual([
    'critical',
    'warning',
    'fault',
    'long',
    'short',
    'same as short',
    'unknown',
    'stopped',
  ]);
});

test('totals are of scenes with numbers of now, and nothing is null, not 0', () => {
  const all = [wait('a', 30), wait('b', 60, { isFiring: true }), wait('c', 999, { fault: FAULT })];
  expect(totalsOf(all, NOW)).toEqual({
    ...{ waiting: 6, inService: 2, fine: 1, held: 0, close: 0, attention: 2, down: 1 },
  });
  expect(totalsOf([scene({ analysisStatus: 'stopped' })], NOW)).toEqual({
    ...{ waiting: null, inService: null, fine: 0, held: 0, close: 0, attention: 0, down: 0 },
  });
});

describe('the sentence on top', () => {
  const short = wait('short', 10);
  const busy = wait('busy', 90, { isFiring: true });
  const quiet = wait('quiet', 0, { isFiring: true, current: { ...NUMBERS, inQueue: 0 } });
  const broken = wait('broken', 0, { fault: FAULT });
  const starting = wait('starting', 0, { updatedAt: null, current: null });
  const stopped = wait('stopped', 0, { analysisStatus: 'stopped' });
  test.each<[string, LiveScene[], object]>([
    ['sends somebody to the worst place', [busy, short, broken], { kind: 'send', scene: busy, waiting: 3 }],
    ['sends where a rule fires without people', [quiet], { kind: 'send', scene: quiet, waiting: 0 }],
    ['is calm', [short, wait('b', 20)], { kind: 'calm', fine: 2, held: 0, of: 2 }],
    [
      'says that all are within their targets, or close to it',
      [wait('a', 20, heldTo(200)), scene({ id: 'b', ...heldTo(200), current: LATE })],
      { kind: 'calm', fine: 2, held: 1, of: 2 },
    ],
    ['does not say “all” where a camera is down', [broken, short], { kind: 'calm', fine: 1, held: 0, of: 2 }],
    ['says that nothing is seen', [broken, stopped], { kind: 'blind' }],
    ['says that counting starts', [starting, stopped], { kind: 'starting' }],
    ['says that nothing is counted', [stopped], { kind: 'stopped' }],
  ])('%s', (_name, ordered, lead) => expect(leadOf(ordered, NOW)).toEqual(lead));
});

describe('a wait against its target of 180 s', () => {
  const target = { waitSeconds: 180, share: 0.9 };
  const of = (inQueue: number | null, longest: number | null, joining: number | null, atMost?: number) => ({
    ...{ inQueue, maxWaitSeconds: longest, estimatedWaitSeconds: joining },
    estimatedWaitHighSeconds: atMost ?? null,
  });
  test.each([
    ['nobody waits and nothing is known', of(0, null, null), 'within', 'nobody'],
    ['somebody waits and nothing is known', of(2, null, null), null, null],
    ['no queue is measured', of(null, null, null), null, null],
    ['exactly the target', of(3, 180, 180, 180), 'close', 'longest'],
    ['the longest is over', of(3, 180.1, 60, 90), 'over', 'longest'],
    ['who joins is over', of(3, 100, 181, 300), 'over', 'joining'],
    ['who joins may be over', of(3, 100, 120, 181), 'close', 'atMost'],
    ['who joins is surely in time', of(3, 100, 160, 180), 'within', 'joining'],
    ['who joins is close, and nobody knows how sure that is', of(3, 100, 144), 'close', 'joining'],
    ['the longest is close', of(3, 144, 100, 170), 'close', 'longest'],
    ['only the longest is known', of(3, 100, null), 'within', 'longest'],
  ] as const)('%s', (_name, wait, held, by) => {
    const found = againstTarget(wait, target);
    expect([found?.held ?? null, found?.by ?? null]).toEqual([held, by]);
    expect(againstTarget(wait, null)).toBeNull();
  });

  test('a service level is close to the share that is wanted by five points', () => {
    expect([1, 0.9, 0.89, 0.85, 0.84, null].map((level) => levelAgainst(level, target))).toEqual([
      ...['within', 'within', 'close', 'close', 'over', null],
    ]);
  });
});
