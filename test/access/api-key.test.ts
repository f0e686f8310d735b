import { describe, expect, test } from '@jest/globals';
import { hashSecret, isSecret, makeApiKey, parseApiKey } from '../../src/access/api-key.ts';

describe('API key', () => {
  test('has the documented form and can be read back', () => {
    const { key, keyId, secretHash, last4 } = makeApiKey();
    expect(key).toMatch(/^vas_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(key.endsWith(last4)).toBe(true);
    const parsed = parseApiKey(key);
    expect(parsed?.keyId).toBe(keyId);
    expect(isSecret(parsed!.secret, secretHash)).toBe(true);
    expect(isSecret(`${parsed!.secret.slice(0, -1)}-`, secretHash)).toBe(false);
  });

  test('the stored hash is not the secret', () => {
    const { key, secretHash } = makeApiKey();
    expect(secretHash).toHaveLength(32);
    expect(Buffer.from(secretHash).toString('latin1')).not.toContain(parseApiKey(key)!.secret);
    expect(hashSecret(parseApiKey(key)!.secret)).toEqual(secretHash);
  });

  test.each([0, 4, 12, 20, 45, 49])(
    'a changed character at position %i is detected without a database',
    (at) => {
      const { key } = makeApiKey();
      const other = key[at] === 'A' ? 'B' : 'A';
      expect(parseApiKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`)).toBeNull();
    },
  );

  test.each(['', 'vas_', `${makeApiKey().key} `, `${makeApiKey().key}\n`, makeApiKey().key.slice(1)])(
    'refuses %j',
    (text) => {
      expect(parseApiKey(text)).toBeNull();
    },
  );
});
