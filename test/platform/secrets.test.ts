import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/platform/config.ts';
import { loadSecrets } from '../../src/platform/secrets.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
const file = join(dataDir, 'secrets.json');
afterAll(() => rmSync(dataDir, { recursive: true }));

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('secrets', () => {
  test('are created once in development, readable only by the owner', () => {
    const first = loadSecrets(loadConfig({ DATA_DIR: dataDir }));
    expect(first.encryptionKeys[0]?.key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecrets(loadConfig({ DATA_DIR: dataDir }))).toEqual(first);
  });

  test('from the configuration need no file', () => {
    const config = loadConfig({ DATA_DIR: '/nowhere', ENCRYPTION_KEYS: `a:${KEY}`, URL_SIGNING_KEY: KEY });
    expect(loadSecrets(config)).toEqual({
      encryptionKeys: [{ id: 'a', key: Buffer.from(KEY, 'base64') }],
      urlSigningKey: KEY,
    });
  });

  test('are never overwritten when their file is damaged, because it may hold the only key', () => {
    writeFileSync(file, '{');
    expect(() => loadSecrets(loadConfig({ DATA_DIR: dataDir }))).toThrow('cannot be read as secrets');
  });

  test.each([
    // On Linux nobody may create a file there, not even root.
    [
      'is read-only',
      '/proc/self',
      /DATA_DIR \(\/proc\/self\) cannot be written .* set DATA_DIR to another folder/,
    ],
    ['is a file', file, /secrets\.json cannot be read \(ENOTDIR\): correct DATA_DIR/],
  ])('that are missing say what to do when DATA_DIR %s', (_, folder, message) => {
    expect(() => loadSecrets(loadConfig({ DATA_DIR: folder }))).toThrow(message);
  });
});
