import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mayHaveGraphicsCard } from '../../../src/models/choice/graphics-drivers.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cards-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function driver(name: string): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ICD: { library_path: `lib${name}.so`, api_version: '1.3.0' } }));
  return file;
}
function devices(name: string, files: readonly string[]): string {
  const at = join(folder, name);
  mkdirSync(join(at, 'dri'), { recursive: true });
  for (const file of files) writeFileSync(join(at, file), '');
  return at;
}

const ALL = ['intel_icd.x86_64', 'radeon_icd.x86_64', 'lvp_icd.x86_64'];

test.each([
  ['a card and its driver', ALL, ['dri/renderD128'], true],
  ['a card of NVIDIA in a container', ['nvidia_icd'], ['nvidia0', 'nvidiactl'], true],
  ['the card of the host of WSL 2', ['dzn_icd.x86_64'], ['dxg'], true],
  ['the drivers of a distribution without a card', ALL, ['null', 'dri/card0'], false],
  [
    'a card for which there are only emulations',
    ['lvp_icd.x86_64', 'vk_swiftshader_icd'],
    ['dri/renderD128'],
    false,
  ],
  ['no driver', [], ['dri/renderD128'], false],
])('%s', (name, drivers, files, expected) => {
  const named = [...drivers.map(driver), join(folder, 'missing.json')].join(delimiter);
  const found = mayHaveGraphicsCard({ VK_DRIVER_FILES: named }, devices(name, files));
  expect(found).toBe(process.platform === 'linux' ? expected : true);
});
