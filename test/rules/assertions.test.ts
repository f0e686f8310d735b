import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** It only falls: who needs fewer lowers it. */
const MOST = 299;

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => join('src', path))
  .filter((path) => /\.tsx?$/.test(path) && !/prisma-client|generated/.test(path));

function countIn(path: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true));
  return count;
}

test(`src has at most ${MOST} non-null assertions`, () => {
  const counts = paths.map((path) => ({ path, count: countIn(path) }));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const worst = counts.toSorted((a, b) => b.count - a.count).slice(0, 10);
  const fault = [
    `src has ${all} non-null assertions (!), ${all - MOST} too many. The compiler cannot check them: each is a claim that a`,
    'later change may break. Say instead by a type why the value is there: for…of, destructuring, a tuple, a Map, one array',
    'of records in place of several, or an early return. The files with the most:',
    ...worst.map(({ path, count }) => `${path}: ${count}`),
  ].join('\n');
  expect(paths.length).toBeGreaterThan(20);
  expect(all > MOST ? fault : '').toBe('');
});
