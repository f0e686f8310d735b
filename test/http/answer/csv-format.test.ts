import { describe, expect, test } from '@jest/globals';
import {
  type CsvFormat,
  csvFormat,
  csvFormatOf,
  csvHead,
  csvLine,
} from '../../../src/http/answer/csv-format.ts';
import { csvForm } from '../../../src/page/api/csv-form.ts';
import { fc } from '../../support/property.ts';
import { readCsv } from './read-csv.ts';

const PLAIN = csvFormat.parse({});
const GERMAN: CsvFormat = { separator: 'semicolon', decimal: 'comma', bom: true };
const textOf = (text: string): string => csvLine({ text }, ['text'], PLAIN);

describe('a text that a spreadsheet could run', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['Kasse;=1+1', "Kasse;'=1+1"],
    ['Till,@SUM(A1)', "Till,'@SUM(A1)"],
    ['Till|=1', "Till|'=1"],
    ['\t=1', "\t'=1"],
    ['Till\t-1', "Till\t'-1"],
    ['Till\n=1', "Till\n'=1"],
    ['Till\r\n=1', "Till\r\n'=1"],
    [' =1+1', " '=1+1"],
    ['   = 1', "   '= 1"],
    ['Till; = 1', "Till; '= 1"],
    ['Till =1', "Till '=1"],
    ['\u00a0=1', "\u00a0'=1"],
    ['\u200b=1', "\u200b'=1"],
    ['\ufeff=1', "\ufeff'=1"],
    ['＝1+1', "'＝1+1"],
    ['Kasse;＋1', "Kasse;'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['Kasse;"=1+1"', `Kasse;"'=1+1"`],
    ['"=1+1', `"'=1+1`],
  ])('%j gets an apostrophe', (text, safe) => {
    expect(textOf(text)).toBe(`"${safe.replaceAll('"', '""')}"\r\n`);
  });

  test.each(['Shop - Till 3', 'a=b', 'till-3', 'ada@example.com', '2026-11-23T08:00:00+01:00', '3 - 1', ''])(
    '%j stays as it is',
    (text) => {
      expect(textOf(text)).toBe(`"${text}"\r\n`);
    },
  );

  test('never begins a cell, however a spreadsheet cuts and trims the file', () => {
    const letters = fc.constantFrom(...'=+-@＝＋－＠,;|\t\r\n "\'a1\u00a0\u200b\ufeff');
    const anyText = fc.string({ unit: letters, maxLength: 12 });
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const line = csvLine({ first, count: 1, second }, ['first', 'count', 'second'], PLAIN);
        expect(readCsv(line)[0]!.map((cell) => cell.replace(/'(?=[=+\-@＝＋－＠])/g, ''))).toEqual([
          first.replace(/'(?=[=+\-@＝＋－＠])/g, ''),
          '1',
          second.replace(/'(?=[=+\-@＝＋－＠])/g, ''),
        ]);
        for (const cell of line.split(/[,;|\t\r\n]/))
          expect(cell.replace(/^[\s\p{Cf}"]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
      }),
    );
  });

  test('takes time in proportion to its length', () => {
    const long = `${' \t"'.repeat(200_000)}=`;
    expect(textOf(long)).toContain("'=");
  });
});

describe('the format', () => {
  const row = { name: 'Till 3', share: 0.25, small: 1e-7, whole: -3, none: null, isOn: true };
  const columns = Object.keys(row);

  test.each<[string, CsvFormat, string, string]>([
    ['as ever', PLAIN, 'name,share,small,whole,none,isOn', '"Till 3",0.25,1e-7,-3,,true'],
    ['German', GERMAN, '\ufeffname;share;small;whole;none;isOn', '"Till 3";0,25;1e-7;-3;;true'],
    [
      'tabs',
      { ...GERMAN, separator: 'tab', bom: false },
      'name\tshare\tsmall\twhole\tnone\tisOn',
      '"Till 3"\t0,25\t1e-7\t-3\t\ttrue',
    ],
    [
      'a decimal comma between commas',
      { ...PLAIN, decimal: 'comma' },
      'name,share,small,whole,none,isOn',
      '"Till 3","0,25",1e-7,-3,,true',
    ],
  ])('%s', (_, format, head, line) => {
    expect([csvHead(columns, format), csvLine(row, columns, format)]).toEqual([`${head}\r\n`, `${line}\r\n`]);
  });

  test.each([
    ['de-DE', 'semicolon', 'comma'],
    ['fr', 'semicolon', 'comma'],
    ['en', 'comma', 'point'],
    ['de-CH', 'comma', 'point'],
  ])('of %s follows its decimal mark, in mails and on the page', (locale, separator, decimal) => {
    expect(csvFormatOf(locale)).toEqual({ separator, decimal, bom: true });
    expect(csvForm(locale)).toEqual({ separator, decimal, bom: true });
  });
});
