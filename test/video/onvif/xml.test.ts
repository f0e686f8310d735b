import { describe, expect, test } from '@jest/globals';
import { escapeXml, nodesAt, parseXml, textAt, UnreadableXml } from '../../../src/video/onvif/xml.ts';
import { fc } from '../../support/property.ts';

describe('XML of cameras', () => {
  test('is read without prefixes, with attributes and entities of characters', () => {
    const node = parseXml(
      '<?xml version="1.0"?><s:A xmlns:s="x"><t:B token="1&amp;2"> x &lt;y&gt; </t:B><B>&#233;</B><C/></s:A>',
    );
    expect(nodesAt(node, 'A', 'B').map((each) => textAt(each))).toEqual(['x <y>', '\u00e9']);
    expect([textAt(node, 'A', 'B', '@token'), textAt(node, 'A', 'C'), textAt(node, 'A', 'D', 'E')]).toEqual([
      '1&2',
      null,
      null,
    ]);
  });

  test('keeps numbers as they are written, and leaves out control characters', () => {
    const node = parseXml('<a><b>007</b><c>1\u0007\u202e2</c></a>');
    expect([textAt(node, 'a', 'b'), textAt(node, 'a', 'c')]).toEqual(['007', '12']);
  });

  test.each([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['a document type in lower case', '<!doctype a><a/>'],
    ['an entity', '<a/><!ENTITY b "c">'],
    ['41 levels', '<a>'.repeat(41)],
    ['20,001 elements', `<a>${'<b/>'.repeat(20_000)}</a>`],
  ])('with %s is refused', (_name, text) => {
    expect(() => parseXml(text)).toThrow(UnreadableXml);
  });

  test('never changes what all objects have', () => {
    const node = parseXml('<__proto__><polluted>yes</polluted></__proto__>');
    expect(textAt(node, '__proto__', 'polluted')).not.toBe('yes');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test('of any kind is read or refused', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '<a',
        '</a>',
        '<a>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?',
        '&',
        ';',
        '"',
        "'",
        '=',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          nodesAt(parseXml(pieces.join('')), 'a', 'a').map((node) => textAt(node));
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableXml);
        }
      }),
    );
  });

  test('holds any text that was escaped', () => {
    const visible = fc
      .string()
      .filter((text) => text === text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() && text !== '');
    fc.assert(
      fc.property(visible, (text) => {
        expect(textAt(parseXml(`<a>${escapeXml(text)}</a>`), 'a')).toBe(text);
      }),
    );
  });
});
