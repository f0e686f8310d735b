import { describe, expect, test } from '@jest/globals';
import {
  type CameraFacts,
  type CameraState,
  cameraState,
  isTrouble,
  worstFirst,
} from '../../../src/page/cameras/camera-state.ts';

const since = '2026-11-23T10:00:00.000Z';
const fault = { reason: 'timeout' as const, message: 'It does not answer', since };
const warning = { reason: 'slow_camera' as const, message: 'It is slow', since };
const run = (waitingFor?: 'capacity' | 'node') => ({
  ...{ analysisId: 'a', status: 'queued' as const, startedAt: null, errorMessage: null },
  ...(waitingFor && { waitingFor }),
});
const scene = (
  analysisStatus: CameraFacts['scenes'][number]['analysisStatus'],
  waitingFor?: 'capacity' | 'node',
) => ({ analysisStatus, run: run(waitingFor) });
const FINE: CameraFacts = {
  ...{ isDisabled: false, fault: null, warnings: [], onlineStatus: 'online', lastError: null },
  scenes: [scene('idle')],
};

describe('the state of a camera', () => {
  test.each<[CameraState, Partial<CameraFacts>]>([
    ['idle', {}],
    ['counting', { scenes: [scene('stopped'), scene('running')] }],
    ['warned', { scenes: [scene('running')], warnings: [warning] }],
    ['idle', { warnings: [warning] }],
    ['fault', { fault, scenes: [scene('running')] }],
    ['offline', { onlineStatus: 'offline' }],
    ['offline', { onlineStatus: 'offline', scenes: [] }],
    ['disabled', { isDisabled: true, fault }],
    ['noZones', { scenes: [] }],
    ['unknown', { onlineStatus: 'unknown' }],
    ['failed', { scenes: [scene('running'), scene('error')] }],
    ['starting', { scenes: [scene('starting')] }],
    ['waitsForNode', { scenes: [scene('starting', 'node')] }],
    ['waitsForCapacity', { scenes: [scene('starting', 'capacity')] }],
    ['stopping', { scenes: [scene('stopping')] }],
  ])('%s: %j', (state, change) => expect(cameraState({ ...FINE, ...change })).toBe(state));

  test('the worst comes first in a list', () => {
    const states: CameraState[] = ['idle', 'counting', 'fault', 'disabled', 'warned', 'noZones', 'offline'];
    expect(states.sort(worstFirst)).toEqual([
      ...['fault', 'offline', 'warned', 'noZones', 'counting', 'idle', 'disabled'],
    ]);
    expect(states.filter(isTrouble)).toEqual(['fault', 'offline', 'warned']);
  });
});
