import { expect, test } from '@jest/globals';
import {
  presentAnalysis,
  presentRecording,
  type ShownAnalysis,
} from '../../../src/runs/recordings/present.ts';
import type { RecordingRow } from '../../../src/runs/recordings/recording.store.ts';

const STARTED = new Date('2026-11-23T10:00:00.000Z');
const ENDED = new Date('2026-11-23T10:01:40.000Z');
const run: ShownAnalysis = {
  ...{ id: 'run', status: 'PROCESSING', runStatus: 'running', stopRequestedAt: null, reason: null },
  ...{ startedAt: STARTED, completedAt: null, errorMessage: null, positionMs: 240_000, uptimeMs: 40_000 },
  stats: null,
};
const TEN_MINUTES = 600_000;

test('without a run nothing is known, and nothing is 0', () => {
  const { status, ...rest } = presentAnalysis(null, TEN_MINUTES);
  expect(status).toBe('none');
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

test('a running analysis shows how far and how fast it is, and when it ends', () => {
  expect(presentAnalysis(run, TEN_MINUTES)).toEqual({
    ...{ status: 'running', progressPercent: 40, positionSeconds: 240, secondsPerSecond: 6, etaSeconds: 60 },
    ...{ error: null, taskId: 'run', startedAt: STARTED.toISOString(), completedAt: null },
  });
});

test('the speed of a running analysis is that of the last seconds, once it is measured', () => {
  const stats = { secondsPerSecond: 12 };
  expect(presentAnalysis({ ...run, stats }, TEN_MINUTES)).toMatchObject({
    secondsPerSecond: 12,
    etaSeconds: 30,
  });
  const over = { ...run, stats, status: 'COMPLETED', completedAt: ENDED, positionMs: TEN_MINUTES } as const;
  expect(presentAnalysis({ ...over, uptimeMs: 100_000 }, TEN_MINUTES)).toMatchObject({
    secondsPerSecond: 6,
    etaSeconds: null,
  });
});

test('before the first frame the speed and the end are not known', () => {
  for (const before of [{ positionMs: -1 }, { positionMs: 0 }, { positionMs: null }, { uptimeMs: 0 }])
    expect(presentAnalysis({ ...run, ...before }, TEN_MINUTES)).toMatchObject({
      secondsPerSecond: null,
      etaSeconds: null,
    });
});

test('the position is that of the last frame, also when the analysis is over', () => {
  const over = { ...run, status: 'COMPLETED', completedAt: ENDED, positionMs: 598_200 } as const;
  expect(presentAnalysis({ ...over, uptimeMs: 100_000 }, TEN_MINUTES)).toMatchObject({
    ...{ status: 'completed', progressPercent: 100, positionSeconds: 598.2 },
  });
});

test('a position past the length, which a file may have wrong, is the end', () => {
  expect(presentAnalysis({ ...run, positionMs: 700_000 }, TEN_MINUTES)).toMatchObject({
    progressPercent: 100,
    etaSeconds: 0,
  });
});

const ended = { ...run, runStatus: 'stopped', completedAt: ENDED, uptimeMs: 100_000 } as const;

test.each([
  [
    'queued again after its node has died',
    { status: 'QUEUED', runStatus: 'initializing' },
    'queued',
    40,
    null,
  ],
  ['about to stop', { stopRequestedAt: ENDED }, 'running', 40, null],
  ['over', { ...ended, status: 'COMPLETED', positionMs: 599_900 }, 'completed', 100, null],
  ['stopped while it ran', { ...ended, status: 'COMPLETED', reason: 'user_request' }, 'cancelled', 40, null],
  ['cancelled in the queue', { ...ended, status: 'CANCELLED', positionMs: 0 }, 'cancelled', 0, null],
  [
    'out of quota',
    { ...ended, status: 'COMPLETED', reason: 'resource_constraint' },
    'failed',
    40,
    expect.stringContaining('quota'),
  ],
  [
    'failed',
    { ...ended, status: 'FAILED', runStatus: 'error', errorMessage: 'The file is damaged.' },
    'failed',
    40,
    'The file is damaged.',
  ],
])('a run that is %s', (_what, change, status, progressPercent, error) => {
  const shown = presentAnalysis({ ...run, ...change } as ShownAnalysis, TEN_MINUTES);
  expect(shown).toMatchObject({ status, progressPercent, error });
  if (status !== 'running') expect(shown.etaSeconds).toBeNull();
});

test.each([
  ['found as it is', 0, null, []],
  ['not analysed', 0, undefined, []],
  ['found upside down', 0, 180, [180]],
  ['found upside down, and was turned since', 180, 180, []],
  ['found as it was before it was turned', 90, 0, [0]],
])('a recording in which people are %s', (_what, rotation, wantedRotation, told) => {
  const row = {
    ...{ sizeBytes: 1n, durationMs: 1_000, width: 64, height: 36, sourceFps: 25 },
    ...{ recordedAt: STARTED, createdAt: STARTED, updatedAt: STARTED, device: { rotation, privacyMask: [] } },
    videoTracks: [],
  } as unknown as RecordingRow;
  const { warnings } = presentRecording(row, { ...run, stats: { wantedRotation } });
  expect(warnings.map((warning) => [warning.reason, warning.rotation])).toEqual(
    told.map((each) => ['picture_turned', each]),
  );
});
