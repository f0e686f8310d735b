import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseCsv } from '../../../../scripts/evaluate/visits/csv.ts';
import { type Label, parseLabels, readLabels } from '../../../../scripts/evaluate/visits/label-file.ts';
import { fc } from '../../../support/property.ts';

const HEADER = 'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt';
const LINE_ENDS = ['\n', '\r\n', '\r'] as const;

describe('comma-separated values', () => {
  test.each<[string, string, string[][]]>([
    ['nothing', '', []],
    ['one line without an end', 'a,b', [['a', 'b']]],
    ['an empty value at the end', 'a,\n', [['a', '']]],
    ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['quotes around a separator and a line end', '"a,1","b\r\n2"\n', [['a,1', 'b\r\n2']]],
    ['doubled quotes', '"say ""hello"""', [['say "hello"']]],
    ['a quote within a value', '5" nail,b', [['5" nail', 'b']]],
    ['old line ends', 'a,b\rc,d\r', [['a', 'b'], ['c', 'd']]], // biome-ignore format: a table
  ])('%s', (_, text, expected) => {
    expect(parseCsv(text, ',').map(({ cells }) => cells)).toEqual(expected);
  });

  test.each([
    ['a quote that is not closed', 'a,b\n"c,d\ne,f\n', /^line 2: a value that begins with a quote/],
    ['something after a quote', 'a\n"b\nc"d,e\n', /^line 2: /],
  ])('%s is an error that names the line', (_, text, message) => {
    expect(() => parseCsv(text, ',')).toThrow(message);
  });

  test('values of any kind are read as they were written, with the line in which they begin', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', 'a') }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 1 })),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom(...LINE_ENDS),
        (rows, separator, lineEnd) => {
          const write = ([text, quoted]: [string, boolean]) =>
            quoted || text.startsWith('"') || text.includes(separator) || /[\r\n]/.test(text)
              ? `"${text.replaceAll('"', '""')}"`
              : text;
          const lines = rows.map((row) => row.map(write).join(separator) + lineEnd);
          const found = parseCsv(lines.join(''), separator);
          expect(found.map(({ cells }) => cells)).toEqual(rows.map((row) => row.map(([text]) => text)));
          const beginsAt = lines.map(
            (_, at) =>
              lines
                .slice(0, at)
                .join('')
                .split(/\r\n|\r|\n/).length,
          );
          expect(found.map(({ line }) => line)).toEqual(beginsAt);
        },
      ),
    );
  });
});

const label = (
  line: number,
  person: string,
  queue: Label['queue'],
  service: Label['service'] = null,
): Label => ({
  ...{ line, person, queue, service },
});

describe('labels', () => {
  const read = (...lines: string[]) => parseLabels([HEADER, ...lines].join('\n'), 'till.csv');

  test('have a queue, a service or both, and an empty end where the video ends first', () => {
    expect(read('ann,12,40.5,41,63', 'ben,20,55,,', 'cid,,,0,9', 'dan,600,,,', 'eve,1,2,3,')).toEqual([
      label(2, 'ann', { from: 12, to: 40.5 }, { from: 41, to: 63 }),
      label(3, 'ben', { from: 20, to: 55 }),
      label(4, 'cid', null, { from: 0, to: 9 }),
      label(5, 'dan', { from: 600, to: null }),
      label(6, 'eve', { from: 1, to: 2 }, { from: 3, to: null }),
    ]);
  });

  test.each([
    ['minutes and seconds', 'ann,1:23.5,12:05,,', { from: 83.5, to: 725 }],
    ['hours too', 'ann,0:59:59,1:00:00,,', { from: 3599, to: 3600 }],
    ['minutes beyond an hour', 'ann,75:00,90:00,,', { from: 4500, to: 5400 }],
    ['blanks around values', ' ann , 12 , 40 , , ', { from: 12, to: 40 }],
    ['fewer values than columns', 'ann,12,40', { from: 12, to: 40 }],
    ['more values, all of them empty', 'ann,12,40,,,,,', { from: 12, to: 40 }],
  ])('%s', (_, line, queue) => {
    expect(read(line)).toEqual([label(2, 'ann', queue)]);
  });

  test('a service may have a till, in a column that may lack', () => {
    const read = (line: string) => parseLabels(`Till,${HEADER}\n${line}`, 'till.csv');
    expect(read(' a ,cid,,,0,9')).toEqual([{ ...label(2, 'cid', null, { from: 0, to: 9 }), till: 'a' }]);
    expect(read(',cid,,,0,9')).toEqual([label(2, 'cid', null, { from: 0, to: 9 })]);
    expect(() => read('a,ann,12,40.5,,')).toThrow('line 2: has a till and no service');
  });

  test('a person may have several visits in any order of lines, even without a pause', () => {
    expect(read('ann,30,40,,', 'ann,10,30,,')).toHaveLength(2);
  });

  test.each([
    ['a byte order mark', `\uFEFF${HEADER}\nann,12.5,40,,\n`],
    ['line ends of Windows', `${HEADER}\r\nann,12.5,40,,\r\n`],
    ['semicolons and decimal commas', `${HEADER.replaceAll(',', ';')}\nann;12,5;40;;\n`],
    ['tabs', `${HEADER.replaceAll(',', '\t')}\nann\t12.5\t40\t\t\n`],
    ['quotes', `"${HEADER.replaceAll(',', '","')}"\n"ann","12.5","40","",""\n`],
    [
      'another order, other letters, more columns',
      'Note,QUEUELEFTAT,person,queueenteredat,serviceStartedAt,serviceEndedAt\nred,40,ann,12.5,,\n',
    ],
    ['empty lines', `${HEADER}\nann,12.5,40,,\n\n,,,,\n`],
  ])('a file with %s', async (name, text) => {
    const path = join(folder, `${name}.csv`);
    await writeFile(path, text);
    expect(await readLabels(path)).toEqual([label(2, 'ann', { from: 12.5, to: 40 })]);
    await writeFile(path, Buffer.from(`\uFEFF${text.replace('\uFEFF', '')}`, 'utf16le'));
    expect(await readLabels(path)).toEqual([label(2, 'ann', { from: 12.5, to: 40 })]);
  });

  test.each([
    ['nothing', '', /^The labels till\.csv are empty; write person,queueEnteredAt/],
    ['empty lines alone', '\n\n', /are empty/],
    ['a header alone', HEADER, /have a header and no visit/],
    [
      'no header',
      'ann,1,2,3,4\n',
      /^The first line of the labels till\.csv lacks person, queueEnteredAt, queueLeftAt/,
    ],
    [
      'a missing column',
      'person,queueEnteredAt,serviceStartedAt,serviceEndedAt\nann,1,2,3',
      /lacks queueLeftAt; write person/,
    ],
    ['a column twice', `${HEADER},person\nann,1,2,,,\n`, /has person twice/],
    ['a quote that is not closed', `${HEADER}\n"ann,1,2,,\n`, /line 2: a value that begins with a quote/],
    ['a picture', '\u0000\u0001PNG', /lacks person/],
  ])('a file with %s is an error', (_, text, message) => {
    expect(() => parseLabels(text, 'till.csv')).toThrow(message);
  });

  test.each([
    ['a word', 'ann,soon,40,,', 'queueEnteredAt (soon) is no time; write seconds like 83.5, or 1:23.5'],
    ['an exponent', 'ann,1e2,400,,', 'queueEnteredAt (1e2) is no time'],
    ['not a number', 'ann,NaN,40,,', 'queueEnteredAt (NaN) is no time'],
    ['infinity', 'ann,1,Infinity,,', 'queueLeftAt (Infinity) is no time'],
    ['a number beyond numbers', `ann,1,${'9'.repeat(400)},,`, `queueLeftAt (${'9'.repeat(30)}…) is no time`],
    ['75 seconds of a minute', 'ann,1:75,400,,', 'queueEnteredAt (1:75) is no time'],
    ['75 minutes of an hour', 'ann,1:75:00,9:00:00,,', 'queueEnteredAt (1:75:00) is no time'],
    [
      'a negative time',
      'ann,-3,40,,',
      'queueEnteredAt (-3) is negative; times count from the begin of the video',
    ],
    ['a decimal comma between commas', 'ann,12,5,40,,', 'must be later'],
    [
      'a decimal comma that adds a value',
      'ann,12,50,60,70,5',
      'has 6 values, the first line has 5; is it a decimal comma? Write a point',
    ],
    ['a quoted decimal comma', 'ann,"12,5",40,,', 'queueEnteredAt (12,5) is no time'],
    ['an end before the begin', 'ann,40,12,,', 'queueLeftAt (12) must be later than queueEnteredAt (40)'],
    ['an end at the begin', 'ann,,,40,40', 'serviceEndedAt (40) must be later than serviceStartedAt (40)'],
    ['an end alone', 'ann,,40,,', 'has queueLeftAt and no queueEnteredAt'],
    ['a service that ends alone', 'ann,1,2,,40', 'has serviceEndedAt and no serviceStartedAt'],
    [
      'a service before the queue is left',
      'ann,1,20,19.5,40',
      'serviceStartedAt (19.5) must not be earlier than queueLeftAt (20)',
    ],
    ['a service and a queue that is not left', 'ann,1,,20,40', 'has a service and no queueLeftAt'],
    ['nobody', ',1,20,,', 'person is empty'],
    ['no time', 'ann,,,,', 'has no time; a visit has a queue, a service or both'],
  ])('a line with %s is an error that names it', (_, line, fault) => {
    // biome-ignore format: a table
    expect(() => read('zoe,1,2,,', line)).toThrow(`The labels till.csv cannot be used:\n  line 3: `);
    expect(() => read('zoe,1,2,,', line)).toThrow(fault);
  });

  test.each([
    [
      'overlap',
      ['ann,10,30,,', 'ann,20,40,,'],
      'line 3: person ann begins a visit at 20 s, and that of line 2 lasts until 30 s',
    ],
    [
      'lie within one another',
      ['ann,15,20,,', 'ann,10,30,,'],
      'line 2: person ann begins a visit at 15 s, and that of line 3',
    ],
    ['are the same', ['ann,10,30,,', 'ann,10,30,,'], 'line 3: person ann'],
    [
      'overlap in queue and service',
      ['ann,10,30,31,50', 'ann,,,49,60'],
      'line 3: person ann begins a visit at 49 s',
    ],
    [
      'begin again while one is open',
      ['ann,10,,,', 'ann,20,40,,'],
      'lasts until the end of the video; is it another person?',
    ],
  ])('visits of one person that %s are an error', (_, lines, fault) => {
    expect(() => read(...lines)).toThrow(fault);
  });

  test('all faults are reported at once, the first ten with their text', () => {
    expect(() => read('ann,x,2,,', 'ben,5,4,,')).toThrow(/line 2: .*\n {2}line 3: /);
    const many = Array.from({ length: 25 }, (_, at) => `p${at},x,,,`);
    expect(() => read(...many)).toThrow(/line 11: [^\n]*\n {2}and 15 more$/);
  });

  test('ten thousand lines are read', () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `p${at % 100},${at * 3},${at * 3 + 2},,`);
    expect(read(...lines)).toHaveLength(10_000);
  });

  test('any text gives labels or an error that names the file', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .string({ unit: fc.constantFrom('"', ',', '\n', '1', ':', '.', '-', 'a') })
        .map((rest) => `${HEADER}\n${rest}`),
    );
    fc.assert(
      fc.property(text, (written) => {
        try {
          const found = parseLabels(written, 'till.csv');
          for (const { queue, service } of found) expect(queue ?? service).not.toBeNull();
        } catch (error) {
          expect((error as Error).message).toMatch(/^The (labels|first line of the labels) till\.csv /);
        }
      }),
    );
  });

  test('seconds, clock times and decimal commas give the same times', () => {
    const tenths = fc.uniqueArray(fc.nat(36_000 * 3), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(tenths, fc.constantFrom('seconds', 'clock', 'comma'), (drawn, form) => {
        const sorted = drawn.toSorted((a, b) => a - b);
        const shown = (time: number) => {
          const rest = (time % 600) / 10;
          const clock = `${Math.floor(time / 600)}:${rest < 10 ? '0' : ''}${rest}`;
          return { seconds: `${time / 10}`, clock, comma: `${time / 10}`.replace('.', ',') }[form];
        };
        const separator = form === 'comma' ? ';' : ',';
        const text = `${HEADER.replaceAll(',', separator)}\n${['ann', ...sorted.map(shown)].join(separator)}`;
        const [{ queue, service }] = parseLabels(text, 'till.csv') as [Label];
        const found = [queue!.from, queue!.to!, service!.from, service!.to!];
        expect(found.map((time) => Math.round(time * 10))).toEqual(sorted);
      }),
    );
  });

  test('the error for a missing file names it', async () => {
    await expect(readLabels(join(folder, 'none.csv'))).rejects.toThrow(
      /none\.csv do not exist; give a CSV file/,
    );
    await expect(readLabels(folder)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'labels-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
