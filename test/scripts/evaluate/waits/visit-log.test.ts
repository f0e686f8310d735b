import { describe, expect, test } from '@jest/globals';
import { parseVisitLog, readVisitLog } from '../../../../scripts/evaluate/waits/visit-log.ts';

const HEADER = 'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt,till';
const parse = (...rows: string[]) => parseVisitLog([HEADER, ...rows], 'visits.csv');

describe('a log of visits', () => {
  test('is read with open ends, in any order of columns, with or without tills', async () => {
    expect(await parse('a,1,5,6,9,left', 'b,2,,,,', 'c,3,4.5,,,')).toEqual([
      { person: 'a', joinedAt: 1, leftAt: 5, startedAt: 6, endedAt: 9, till: 'left' },
      { person: 'b', joinedAt: 2, leftAt: null, startedAt: null, endedAt: null, till: null },
      { person: 'c', joinedAt: 3, leftAt: 4.5, startedAt: null, endedAt: null, till: null },
    ]);
    const other = [
      '\uFEFFserviceEndedAt,person,queueEnteredAt,queueLeftAt,serviceStartedAt,note',
      '9,a,1,5,6,x',
      '',
    ];
    expect(await parseVisitLog(other, 'v')).toMatchObject([{ person: 'a', endedAt: 9, till: null }]);
  });

  // A call may be counted as waiting for some seconds after somebody answered it.
  test('may say that somebody left the line after the service began', async () => {
    expect(await parse('a,1,8,6,9,')).toHaveLength(1);
  });

  test.each([
    ['line 2: person is empty', [',1,2,,,']],
    ['line 2: queueEnteredAt is not a number of seconds: soon', ['a,soon,2,,,']],
    ['line 2: queueLeftAt is not a number of seconds: Infinity', ['a,1,Infinity,,,']],
    ['line 2: queueLeftAt before queueEnteredAt', ['a,5,2,,,']],
    ['line 2: serviceStartedAt before queueEnteredAt', ['a,5,6,2,9,']],
    ['line 2: serviceEndedAt before serviceStartedAt', ['a,1,2,3,2,']],
    ['line 2: serviceEndedAt without serviceStartedAt', ['a,1,2,,5,']],
    ['line 2: queueLeftAt without queueEnteredAt', ['a,,2,3,5,']],
    ['line 2: neither queueEnteredAt nor serviceStartedAt is given', ['a,,,,,']],
    ['line 3: begins before the row above it', ['a,5,6,,,', 'b,4,6,,,']],
    ['line 3: overlaps with an earlier visit of person a', ['a,1,2,2,9,', 'a,5,6,,,']],
    ['line 2: a value has more than 200 characters', [`${'a'.repeat(201)},1,2,,,`]],
  ])('is refused: %s', async (fault, rows) => {
    await expect(parse(...rows)).rejects.toThrow(fault);
  });

  test('is refused without rows, without columns, and where it does not exist', async () => {
    await expect(parse()).rejects.toThrow('The log visits.csv has no visits.');
    await expect(parseVisitLog([], 'v.csv')).rejects.toThrow('has no visits');
    await expect(parseVisitLog(['person,till', 'a,1'], 'v.csv')).rejects.toThrow(
      'lacks the columns queueEnteredAt, queueLeftAt',
    );
    await expect(readVisitLog('/nowhere/visits.csv')).rejects.toThrow('does not exist');
    await expect(readVisitLog('/')).rejects.toThrow('cannot be read (EISDIR)');
  });

  test('tells some faults of many and reads no further', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `p${n},5,1,,,`);
    await expect(parse(...rows)).rejects.toThrow(/(line \d+: .*\n {2}){10}and more$/s);
  });
});
