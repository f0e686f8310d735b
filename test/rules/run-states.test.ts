import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { TaskStatus } from '../../src/platform/prisma-client/client.ts';

/** Files outside of `src/runs/` that may name a status of AnalysisTask, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/cameras/devices/streamed-devices.store.ts':
    'devices/ needs to know what is streamed, and may not import runs/',
};

const NAMES_A_STATUS = new RegExp(
  [
    String.raw`\b(${Object.keys(TaskStatus).join('|')})\b`,
    '"(runStatus|stopRequestedAt)"',
    String.raw`\banalysisTask\.(create|update|upsert)`,
    '(UPDATE|INSERT INTO) "AnalysisTask"',
  ].join('|'),
);

function filesThatNameAStatus(): string[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`);
  expect(paths.length).toBeGreaterThan(100);
  return paths.filter(
    (path) =>
      path.endsWith('.ts') &&
      !/^src\/(platform\/prisma-client|client)\//.test(path) &&
      NAMES_A_STATUS.test(readFileSync(path, 'utf8')),
  );
}

test('only src/runs/store names a status of AnalysisTask or writes its rows, but for the allowed files', () => {
  const found = filesThatNameAStatus();
  expect(found.filter((path) => path.startsWith('src/runs/store/')).length).toBeGreaterThan(3);
  expect(found.filter((path) => !path.startsWith('src/runs/store/')).sort()).toEqual(
    Object.keys(ALLOWED).sort(),
  );
});
