import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeApiKey } from '../../src/access/api-key.ts';
import { scrub } from '../../src/platform/logger.ts';

describe('a line of the log', () => {
  test('shows of an API key only its public id', () => {
    const { key, keyId } = makeApiKey();
    expect(scrub(`{"msg":"Bearer ${key} was sent"}`)).toBe(
      `{"msg":"Bearer vas_${keyId}_[redacted] was sent"}`,
    );
  });

  test.each([
    ['rtsp://admin:p%40ss@10.0.0.7:554/Streaming/101?token=abc', 'rtsp://10.0.0.7:554/[redacted]'],
    ['rtsp://admin:p@ss/word@cam/1', 'rtsp://cam/[redacted]'],
    ['postgresql://analytics:secret@db:5432/analytics', 'postgresql://db:5432/[redacted]'],
    ['https://hooks.example.com/T000/SECRET', 'https://hooks.example.com/[redacted]'],
    ['HTTP://user:pass@cam', 'HTTP://[redacted]@cam'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['at file:///app/src/api.ts:12:3', 'at file:///app/src/api.ts:12:3'],
  ])('%s is logged as %s', (address, shown) => {
    expect(scrub(`{"err":{"message":"cannot open \\"${address}\\", again"}}`)).toBe(
      `{"err":{"message":"cannot open \\"${shown}\\", again"}}`,
    );
  });

  test('never shows a password or path of an address, and stays JSON', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9!$%&()*+,;=:@/?#~-]{4,12}$/);
    fc.assert(
      fc.property(word, word, (password, path) => {
        const secret = `PASS${password}`;
        const line = JSON.stringify({ msg: `failed: rtsp://user:${secret}@10.0.0.7/PATH${path} (4)` });
        const shown = scrub(line);
        expect(shown).not.toContain('PASS');
        expect(shown).not.toContain('PATH');
        expect(JSON.parse(shown).msg).toMatch(/^failed: .* \(4\)$/);
      }),
    );
  });
});
