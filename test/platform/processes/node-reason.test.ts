import { expect, test } from '@jest/globals';
import { causesJson, type NodeReason, readCauses } from '../../../src/platform/processes/node-reason.ts';

const NOTHING = { health: null, provider: null, videoDecoder: null };
const failed = (detail: string): NodeReason => ({ sentence: detail, cause: { code: 'gpu_failed', detail } });
const read = (provider: NodeReason) => readCauses(JSON.parse(causesJson('1', { ...NOTHING, provider })));

test.each([
  ['pages of a driver', 'x'.repeat(100_000), 'x'.repeat(300)],
  ['half of a character, after the cut', `${'x'.repeat(299)}😀`, 'x'.repeat(299)],
  ['half of a character, and none', 'a\ud83d\0b', 'ab'],
  ['whole characters', 'Gerät ausgefallen 😀', 'Gerät ausgefallen 😀'],
])('%s: what is stored is short, and PostgreSQL takes it', (_, said, stored) => {
  expect(read(failed(said))).toEqual({ ...NOTHING, provider: { code: 'gpu_failed', detail: stored } });
});

test.each([
  ['nothing', null],
  ['something else', 'text'],
  ['a row without a reason', {}],
  ['a code of a newer version', { ...NOTHING, health: { code: 'of_tomorrow' } }],
  ['a cause of other fields', { ...NOTHING, health: { code: 'overloaded', late: 'many' } }],
  ['a text that is too long', { ...NOTHING, health: { code: 'gpu_failed', detail: 'x'.repeat(301) } }],
])('%s is read as no cause', (_, value) => {
  expect(readCauses(value)).toEqual(NOTHING);
});

test('a cause is read beside one that is not known', () => {
  const provider = { code: 'gpu_failed', detail: 'lost' };
  const health = { code: 'of_tomorrow' };
  expect(readCauses({ health, provider, videoDecoder: null })).toEqual({ ...NOTHING, provider });
});
