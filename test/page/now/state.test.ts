import { describe, expect, test } from '@jest/globals';
import type { LiveScene } from '../../../src/page/api/live-scenes.ts';
import { leadOf } from '../../../src/page/now/lead.ts';
import { OLD_MS, type Reason, reasonOf, totalsOf, worstFirst } from '../../../src/page/now/state.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const NUMBERS = {
  ...{ inQueue: 3, inService: 1, totalPresent: 4, avgWaitSeconds: 20, maxWaitSeconds: 60 },
  ...{ avgServiceSeconds: 40, maxServiceSeconds: 50, estimatedWaitSeconds: 120 },
  ...{ openTills: null, servingTills: null, freeTills: null },
};
const FAULT = { reason: 'unreachable' as const, message: 'It does not answer.', since: ago(60) };
const WARNING = { reason: 'view_changed' as const, message: 'It was moved.', since: ago(60) };

const scene = (changes: Partial<LiveScene> = {}, device: Partial<LiveScene['device']> = {}): LiveScene => ({
  ...{ id: 'a', name: 'Till', status: 'active', analysisStatus: 'running', run: null },
  ...{
    isFiring: false,
    firingSeverity: null,
    lastAlert: null,
    fault: null,
    current: NUMBERS,
    tills: [],
    updatedAt: ago(1),
  },
  ...{ spark: { start: ago(3600), bucketSeconds: 300, avgInQueue: [] }, advice: null },
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

describe('the state of a scene', () => {
  test.each<[string, LiveScene, Reason]>([
    ['numbers and no rule that fires', scene(), 'fine'],
    ['a warning fires', scene({ isFiring: true, firingSeverity: 'warning' }), 'warning'],
    ['a critical rule fires', scene({ isFiring: true, firingSeverity: 'critical' }), 'critical'],
    ['the camera was moved', scene({}, { warnings: [WARNING] }), 'uncertain'],
    ['a rule fires and the camera was moved', scene({ isFiring: true }, { warnings: [WARNING] }), 'warning'],
    ['a fault, also while a rule still fires', scene({ fault: FAULT, isFiring: true }), 'fault'],
    ['a fault of a scene that nobody analyses', scene({ fault: FAULT, analysisStatus: 'idle' }), 'stopped'],
    ['the camera is offline', scene({}, { onlineStatus: 'offline' }), 'offline'],
    ['the numbers are just not old', scene({ updatedAt: ago(OLD_MS / 1000) }), 'fine'],
    ['the numbers are old', scene({ updatedAt: ago(OLD_MS / 1000 + 1), isFiring: true }), 'old'],
    ['no numbers yet', scene({ current: null, updatedAt: null }), 'starting'],
    ['it waits for a node', scene({ run: waitingRun() }), 'waiting'],
    ['it failed', scene({ analysisStatus: 'error' }), 'failed'],
    ['it was stopped', scene({ analysisStatus: 'stopped' }), 'stopped'],
    ['the clock of the node is ahead', scene({ updatedAt: ago(-30) }), 'fine'],
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
    ...{ waiting: 6, inService: 2, fine: 1, attention: 2, down: 1 },
  });
  expect(totalsOf([scene({ analysisStatus: 'stopped' })], NOW)).toEqual({
    ...{ waiting: null, inService: null, fine: 0, attention: 0, down: 0 },
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
    ['is calm', [short, wait('b', 20)], { kind: 'calm', fine: 2, of: 2 }],
    ['does not say “all” where a camera is down', [broken, short], { kind: 'calm', fine: 1, of: 2 }],
    ['says that nothing is seen', [broken, stopped], { kind: 'blind' }],
    ['says that counting starts', [starting, stopped], { kind: 'starting' }],
    ['says that nothing is counted', [stopped], { kind: 'stopped' }],
  ])('%s', (_name, ordered, lead) => expect(leadOf(ordered, NOW)).toEqual(lead));
});
