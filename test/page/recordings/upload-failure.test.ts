import { describe, expect, test } from '@jest/globals';
import { ApiFailure, NetworkFailure, type Resource } from '../../../src/page/api/client.ts';
import { failureText } from '../../../src/page/recordings/upload-failure.ts';
import { recordings as de } from '../../../src/page/text/de/recordings.ts';
import { recordings as en } from '../../../src/page/text/en/recordings.ts';

const failure = (code: string, detail: object) =>
  new ApiFailure(new Response(null, { status: 409 }), {
    message: 'Refused',
    error: { code, details: [{ path: '', message: 'Refused', ...detail }] },
  } as Resource<'Error'>);

describe('an upload that failed', () => {
  test('for the bytes that the user has stored says the limit and the use, in the language of the page', () => {
    const full = failure('LIMIT_REACHED', {
      reason: 'stored_bytes',
      limit: 107_374_182_400,
      used: 99_500_000_000,
    });
    expect(failureText(full, en, 'en')).toMatch(/^Your recordings use 99\.5\s?GB of 107\.4\s?GB, /);
    expect(failureText(full, de, 'de')).toMatch(/^Ihre Aufnahmen belegen 99,5\s?GB von 107,4\s?GB, /);
  });

  test('says why else, and that the network broke', () => {
    const slow = failure('UPLOAD_INCOMPLETE', { reason: 'too_slow' });
    expect(failureText(slow, de, 'de')).toContain('zu langsam');
    expect(failureText(new NetworkFailure('x'), en, 'en')).toBe(en.uploadLost);
    expect(failureText(failure('RATE_LIMITED', {}), en, 'en')).toBeUndefined();
  });
});
