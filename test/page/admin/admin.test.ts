import { describe, expect, test } from '@jest/globals';
import { bodyOf, faultsOf, stateAt } from '../../../src/page/admin/announcements.ts';
import {
  type ComputeNode,
  isLastTaker,
  saidOf,
  skewOf,
  stateOf,
  worstFirst,
} from '../../../src/page/admin/nodes.ts';
import { metersOf, readAddition, readLimit } from '../../../src/page/admin/quotas.ts';
import { admin as de } from '../../../src/page/text/de/admin.ts';
import { admin as en } from '../../../src/page/text/en/admin.ts';

const node = (name: string, health: ComputeNode['health'], isDraining = false, activeDeviceCount = 0) =>
  ({ id: name, name, health, isDraining, activeDeviceCount, maxConcurrentDevices: 2 }) as ComputeNode;

describe('nodes', () => {
  test.each([
    ['healthy', false, 1, 'healthy'],
    ['healthy', false, 2, 'full'],
    ['healthy', false, 3, 'full'],
    ['healthy', true, 2, 'draining'],
    ['degraded', true, 2, 'degraded'],
    ['offline', true, 0, 'offline'],
  ] as const)('%s, draining %s, %d of 2 cameras: %s', (health, isDraining, cameras, state) => {
    expect(stateOf(node('a', health, isDraining, cameras))).toBe(state);
  });

  test('come with those first that need attention', () => {
    const nodes = [
      node('c', 'healthy'),
      node('b', 'healthy', true),
      node('a', 'healthy'),
      node('z', 'degraded'),
      node('y', 'offline'),
      node('f', 'healthy', false, 2),
    ];
    expect(worstFirst(nodes).map(({ name }) => name)).toEqual(['z', 'y', 'b', 'f', 'a', 'c']);
  });

  test('the last node that takes cameras is known', () => {
    const nodes = [node('a', 'healthy'), node('b', 'healthy', true), node('c', 'offline')];
    expect(isLastTaker(nodes[0]!, nodes)).toBe(true);
    expect(isLastTaker(nodes[0]!, [...nodes, node('d', 'degraded')])).toBe(false);
  });

  test.each([
    [19, { kind: 'exact' }],
    [-20, { kind: 'behind', ms: 20 }],
    [2500, { kind: 'ahead', ms: 2500 }],
  ])('a clock that differs by %d ms', (ms, shown) => {
    expect(skewOf(ms)).toEqual(shown);
  });
});

describe('what a node says', () => {
  const CAUSES: readonly NonNullable<ComputeNode['healthCause']>[] = [
    { code: 'clock_differs', seconds: 2.5 },
    { code: 'overloaded', late: 1, cameras: 2 },
    { code: 'old_ffmpeg', release: 4 },
    { code: 'model_of_integers', model: 'nanodet' },
    ...(
      ['lanes_ended', 'writes_failed', 'cuda_missing', 'gpu_slower', 'gpu_failed', 'no_decoder'] as const
    ).map((code) => ({ code, detail: 'EIO' })),
    { code: 'gpu_unusable', provider: 'webgpu', detail: 'EIO' },
    { code: 'decoder_unusable', hardware: 'vaapi', detail: 'EIO' },
    { code: 'decoder_failed', hardware: 'vaapi', camera: 'rtsp://camera', detail: 'EIO' },
  ];

  test.each([
    ['English', en],
    ['German', de],
  ])('in %s, every cause has words for what it names, and what the driver said beside them', (_, texts) => {
    expect(new Set(CAUSES.map(({ code }) => code))).toEqual(new Set(Object.keys(texts.nodes.causes)));
    for (const cause of CAUSES) {
      const said = saidOf(cause, texts.nodes.causes);
      expect(said?.text).toMatch(/^[^{}]+[.:]$/);
      expect(said?.text).not.toContain('undefined');
      expect(said?.detail).toBe('detail' in cause ? 'EIO' : undefined);
    }
    expect(
      saidOf(
        { code: 'decoder_failed', hardware: 'cuda', camera: '{hardware}', detail: '' },
        texts.nodes.causes,
      )?.text,
    ).toContain('{hardware}');
  });

  test('a cause that this page does not know is left to the sentence', () => {
    const cause = { code: 'of_tomorrow' } as unknown as ComputeNode['healthCause'];
    expect([saidOf(cause, en.nodes.causes), saidOf(null, en.nodes.causes)]).toEqual([null, null]);
  });
});

describe('quotas', () => {
  test.each([
    ['', { amount: null }],
    ['0', { amount: 0 }],
    ['1.5', { amount: 5400 }],
    ['-1', { fault: 'number' }],
    ['many', { fault: 'number' }],
    ['1e12', { fault: 'large' }],
  ])('a limit of %j hours', (typed, read) => {
    expect(readLimit('analysisSeconds', typed)).toEqual(read);
  });

  test.each([
    [' ', { fault: 'missing' }],
    ['0', { fault: 'positive' }],
    ['-3', { fault: 'number' }],
    ['7', { amount: 7 }],
  ])('an addition of %j alerts', (typed, read) => {
    expect(readAddition('alertCount', typed)).toEqual(read);
  });

  test('are shown in the units of the page, with what is above the limit', () => {
    const quota = (limit: number | null, used: number) => ({
      limit,
      used,
      balance: limit === null ? null : limit - used,
    });
    const user = {
      month: {
        analysisSeconds: quota(7200, 3600),
        alertCount: quota(10, 13),
        attributeCount: quota(null, 5),
        vlmTokens: quota(0, 0),
      },
      monthlyLimits: { analysisSeconds: 3600, alertCount: 10, attributeCount: null, vlmTokens: 0 },
    } as Parameters<typeof metersOf>[0];
    expect(metersOf(user)).toEqual([
      { feature: 'analysisSeconds', used: 1, limit: 2, monthly: 1, share: 0.5, over: 0 },
      { feature: 'alertCount', used: 13, limit: 10, monthly: 10, share: 1.3, over: 3 },
      { feature: 'attributeCount', used: 5, limit: null, monthly: null, share: null, over: 0 },
      { feature: 'vlmTokens', used: 0, limit: 0, monthly: 0, share: 0, over: 0 },
    ]);
  });
});

describe('announcements', () => {
  const now = new Date('2026-11-23T12:00:00.000Z');
  const [past, future] = ['2026-11-23T11:00:00.000Z', '2026-11-23T13:00:00.000Z'];
  const none = { startsAt: null, endsAt: null, endedAt: null };

  test.each([
    [{}, 'shown'],
    [{ startsAt: future }, 'upcoming'],
    [{ startsAt: past, endsAt: future }, 'shown'],
    [{ endsAt: past }, 'ended'],
    [{ startsAt: future, endedAt: past }, 'ended'],
  ])('%j is %s', (change, state) => {
    expect(stateAt({ ...none, ...change }, now)).toBe(state);
  });

  const form = { type: 'system_announcement', title: ' T ', message: 'M', startsAt: '', endsAt: '' } as const;

  test.each([
    [{}, {}],
    [
      { title: ' ', message: '' },
      { title: 'missing', message: 'missing' },
    ],
    [{ endsAt: '2020-01-01T00:00' }, { endsAt: 'past' }],
    [{ startsAt: '2999-01-02T00:00', endsAt: '2999-01-01T00:00' }, { endsAt: 'order' }],
  ])('a form with %j', (change, faults) => {
    expect(faultsOf({ ...form, ...change }, now)).toEqual(faults);
  });

  test('are sent without the times that were not chosen', () => {
    expect(bodyOf(form)).toEqual({ type: 'system_announcement', title: 'T', message: 'M' });
    expect(bodyOf({ ...form, startsAt: '2999-01-02T00:00' }).startsAt).toBe(
      new Date(2999, 0, 2).toISOString(),
    );
  });
});
