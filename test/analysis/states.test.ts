import { describe, expect, test } from '@jest/globals';
import { move, RUN_MOVES, SCENE_MOVES, statesAllowing, TASK_MOVES } from '../../src/analysis/states.ts';

describe('states', () => {
  test.each([
    ['QUEUED', 'claim', 'PROCESSING'],
    ['PROCESSING', 'requeue', 'QUEUED'],
    ['QUEUED', 'cancel', 'CANCELLED'],
    ['PROCESSING', 'stop', 'COMPLETED'],
    ['PROCESSING', 'fail', 'FAILED'],
  ] as const)('a task that is %s: %s makes it %s', (from, command, to) => {
    expect(move(TASK_MOVES, from, command)).toBe(to);
  });

  test.each([
    ['PROCESSING', 'cancel'],
    ['QUEUED', 'fail'],
    ['COMPLETED', 'requeue'],
    ['FAILED', 'claim'],
    ['CANCELLED', 'claim'],
  ] as const)('a task that is %s refuses %s', (from, command) => {
    expect(() => move(TASK_MOVES, from, command)).toThrow(`'${command}' is not allowed while ${from}`);
  });

  test('a run goes forward only', () => {
    expect(move(RUN_MOVES, 'initializing', 'firstFrame')).toBe('running');
    expect(move(RUN_MOVES, 'running', 'fail')).toBe('error');
    for (const command of ['firstFrame', 'stop', 'fail'] as const) {
      expect(() => move(RUN_MOVES, 'stopped', command)).toThrow();
      expect(() => move(RUN_MOVES, 'error', command)).toThrow();
    }
  });

  test('a scene can be started from every state of rest, and from no other', () => {
    expect(statesAllowing(SCENE_MOVES, 'start').sort()).toEqual(['error', 'idle', 'stopped']);
    expect(statesAllowing(SCENE_MOVES, 'stop').sort()).toEqual(['running', 'starting', 'stopping']);
  });
});
