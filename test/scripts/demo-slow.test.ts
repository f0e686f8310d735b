import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { failIfEnded, Patience, stepsOf, untilReady } from '../../scripts/demo/until-ready.ts';
import { lastComplaint, startProgram } from '../../scripts/support/programs.ts';
import { scratchFolder } from '../support/ffmpeg.ts';

const HOUR = 3600;

/** A machine on which programs get a share of the processor, with a clock that each look advances by ten seconds. */
function slowMachine(share: number) {
  let seconds = 0;
  const patience = new Patience(
    () => seconds * share,
    () => {
      seconds += 10;
      return seconds;
    },
  );
  return { patience, seconds: () => seconds };
}

const idle = {
  ...{ name: 'worker', pid: 0, logFile: '/data/demo/worker.log', running: true },
  ...{ ended: Promise.resolve(0), stop: async () => undefined, kill: async () => undefined },
  written: () => '{"level":40,"msg":"The database does not answer."}\n',
};
const waiting = { programs: [idle], signal: new AbortController().signal, showSteps: () => undefined };

test('programs that compute are waited for, an hour too', () => {
  const { patience, seconds } = slowMachine(0.05);
  while (seconds() < HOUR) expect(patience.isOver()).toBe(false);
});

test('where the system does not tell what programs compute, the wait has no end', () => {
  let seconds = 0;
  const patience = new Patience(
    () => null,
    () => (seconds += 10),
  );
  while (seconds < HOUR) expect(patience.isOver()).toBe(false);
});

test('programs that do nothing are given up with one sentence, what to do, and the log', async () => {
  const { patience } = slowMachine(0.001);
  await expect(untilReady(waiting, async () => false, patience)).rejects.toThrow(
    'Nothing has happened for 120 s: The database does not answer.\n' +
      'Run the demo again: it goes on with what is stored.\n' +
      'The whole log: /data/demo/worker.log',
  );
});

test('a program that ends is named with its reason, what to do, and the log', async () => {
  const folder = scratchFolder();
  const worker = startProgram('src/worker.ts', { MODEL: 'no-such-model', DATABASE_URL: 'none' }, folder);
  await worker.ended;
  expect(() => failIfEnded([worker])).toThrow(
    new RegExp(
      `^The worker ended: .+\\nRun the demo again: .+\\nThe whole log: ${join(folder, 'worker.log')}$`,
    ),
  );
  await rm(folder, { recursive: true });
});

test('of a program that crashed the error is said, and nothing of its stack', () => {
  const lines = [
    '{"level":40,"msg":"a warning before"}',
    'Error: the disk is gone',
    '    at start (file:///src/worker.ts:1:1)',
    '{',
    '}',
    '',
    'Node.js v24.0.0',
    '{"level":30,"msg":"a job ended"}',
    '',
  ];
  expect(lastComplaint({ written: () => lines.join('\n') })).toBe('Error: the disk is gone');
  expect(lastComplaint({ written: () => '' })).toBeNull();
});

test('each step of a start is shown once, and nothing else of the log', () => {
  const lines = [
    '{"level":30,"step":"models","msg":"Preparing the model 1 of 2"}',
    '{"level":30,"msg":"a job ended"}',
    '{"level":30,"step":"models","msg":"Preparing the model 2 of 2"}',
    'plain [words',
    '{"level":30,"step":"models","ms',
  ];
  let seen = 1;
  const said: string[] = [];
  const show = stepsOf({ written: () => lines.slice(0, seen).join('\n') }, (step) => void said.push(step));
  for (; seen <= lines.length; seen++) show();
  expect(said).toEqual(['Preparing the model 1 of 2', 'Preparing the model 2 of 2']);
});
