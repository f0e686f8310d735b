import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { RECORDED, RECORDED_FILE } from '../../../src/api-docs/recorded.ts';
import { recordExamples } from './record.ts';

/** What differs in shape between two values; null fits everything, and an empty list every list. */
function* differences(a: unknown, b: unknown, path: string): Generator<string> {
  if (a === null || b === null) return;
  if (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)) yield path;
  else if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length > 0 && b.length > 0) yield* differences(a[0], b[0], `${path}[]`);
  } else if (typeof a === 'object' && typeof b === 'object')
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* differences(Reflect.get(a, name), Reflect.get(b!, name), `${path}.${name}`);
}

test('the examples of the documentation have the shape of what is answered', async () => {
  const calls = await recordExamples();
  if (process.env.RECORD_EXAMPLES) {
    const lines = Object.entries(calls).map(([id, call]) => `${JSON.stringify(id)}: ${JSON.stringify(call)}`);
    writeFileSync(RECORDED_FILE, `{\n${lines.join(',\n')}\n}\n`);
    return;
  }
  expect([...differences(RECORDED, calls, '')]).toEqual([]);
});
