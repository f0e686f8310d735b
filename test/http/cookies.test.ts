import { describe, expect, test } from '@jest/globals';
import { readCookie } from '../../src/http/session/cookies.ts';
import { fc } from '../support/property.ts';

const VALUE = 'a'.repeat(43);

describe('a Cookie header', () => {
  test.each<[string, string, string | undefined]>([
    ['alone', `vas=${VALUE}`, VALUE],
    ['among others', `theme=dark; vas=${VALUE}; x=1`, VALUE],
    ['without spaces', `a=1;vas=${VALUE};b=2`, VALUE],
    ['of another name', `vas2=${VALUE}; xvas=${VALUE}; __Host-vas=${VALUE}`, undefined],
    ['twice', `vas=${VALUE}; vas=${'b'.repeat(43)}`, undefined],
    ['twice, once empty', `vas=; vas=${VALUE}`, undefined],
    ['in quotes', `vas="${VALUE}"`, undefined],
    ['too short', 'vas=abc', undefined],
    ['too long', `vas=${'a'.repeat(201)}`, undefined],
    ['with other characters', `vas=${VALUE}%41`, undefined],
    ['without a value', 'vas', undefined],
    ['beside one of a neighbour that has no name', `vasx; vas=${VALUE}`, VALUE],
    ['empty', '', undefined],
  ])('with the cookie %s', (_what, header, value) => {
    expect(readCookie(header, 'vas')).toBe(value);
  });

  test('gives any value that a browser sends among any other cookies', () => {
    const name = fc.stringMatching(/^[A-Za-z_-]{1,12}$/).filter((text) => text !== 'vas');
    const other = fc
      .tuple(name, fc.stringMatching(/^[^;\s]{0,30}$/))
      .map(([key, value]) => `${key}=${value}`);
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_.-]{20,200}$/),
        fc.array(other, { maxLength: 8 }),
        fc.nat(),
        (value, others, at) => {
          const cookies = [...others];
          cookies.splice(at % (others.length + 1), 0, `vas=${value}`);
          expect(readCookie(cookies.join('; '), 'vas')).toBe(value);
        },
      ),
    );
  });

  test('of any text gives nothing or a value of our letters that the text has', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.constantFrom('vas', 'vas=', '; ', '=', VALUE, `vas=${VALUE}`, ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const header = pieces.join('');
        const value = readCookie(header, 'vas');
        if (value === undefined) return;
        expect(value).toMatch(/^[A-Za-z0-9_.-]{20,200}$/);
        expect(header).toContain(value);
      }),
    );
  });
});
