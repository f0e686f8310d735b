import { describe, expect, test } from '@jest/globals';
import { nameText } from '../../src/http/fields.ts';

const name = nameText(1, 100);

describe('a name for people', () => {
  test.each(['Kasse 1', 'Zoë & Söhne – „Mitte“', 'مدخل رئيسي', 'כניסה', '入口', '👨‍👩‍👧', 'می‌خواهم'])(
    'may be %s',
    (text) => {
      expect(name.parse(text)).toBe(text);
    },
  );

  test.each([
    ['a line break', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['an escape of terminals', '\u001b[31mred'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['an override of direction', 'gpj.\u202exe'],
    ['an isolate of direction', '\u2066a'],
    ['a mark of direction', 'a\u200fb'],
    ['an invisible space', '\u200b'],
    ['a byte order mark', '\ufeffa'],
  ])('may not contain %s', (_, text) => {
    const { error } = name.safeParse(text);
    expect(error?.issues[0]?.message).toContain('must not contain control characters');
  });

  test.each([' ', '\u00a0\u3000 '])('may not consist of blanks alone: %j', (text) => {
    expect(name.safeParse(text).error?.issues[0]?.message).toBe('must not consist of blanks alone');
  });
});
