import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LineVisit } from '../../../src/waits/line-moments.ts';

const COLUMNS = [
  ...['person', 'queueEnteredAt', 'queueLeftAt', 'serviceStartedAt', 'serviceEndedAt', 'till'],
] as const;
const TIMES = ['queueEnteredAt', 'queueLeftAt', 'serviceStartedAt', 'serviceEndedAt'] as const;
const MOST_ROWS = 2_000_000;
const LONGEST_CELL = 200;
const MOST_FAULTS = 10;

/** One row of a log. */
export type LoggedVisit = LineVisit;

/**
 * Reads a log of visits, line by line, so that its size does not matter much.
 * @throws Error with the lines that cannot be used
 */
export async function readVisitLog(path: string): Promise<LoggedVisit[]> {
  const stream = createReadStream(path, 'utf8');
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    return await parseVisitLog(lines, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `The log ${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}; give a CSV file with the columns ${COLUMNS.join(',')}.`,
    );
  } finally {
    lines.close();
    stream.destroy();
  }
}

/** @throws Error as `readVisitLog` */
export async function parseVisitLog(
  lines: AsyncIterable<string> | Iterable<string>,
  path: string,
): Promise<LoggedVisit[]> {
  const visits: LoggedVisit[] = [];
  const faults: string[] = [];
  const known = new KnownVisits();
  let places: number[] | null = null;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.trim() === '') continue;
    if (places === null) {
      places = columnsOf(line, path);
      continue;
    }
    if (visits.length >= MOST_ROWS)
      throw new Error(`The log ${path} has more than ${MOST_ROWS} visits; cut it into parts.`);
    const read = readRow(line.split(','), places);
    const fault = typeof read === 'string' ? read : known.faultOf(read);
    if (fault !== null) faults.push(`line ${number}: ${fault}`);
    else visits.push(read as LoggedVisit);
    if (faults.length > MOST_FAULTS) break;
  }
  if (faults.length > 0) {
    const listed = faults.slice(0, MOST_FAULTS).map((fault) => `\n  ${fault}`);
    const more = faults.length > MOST_FAULTS ? '\n  and more' : '';
    throw new Error(`The log ${path} cannot be used:${listed.join('')}${more}`);
  }
  if (visits.length === 0) throw new Error(`The log ${path} has no visits.`);
  return visits;
}

function columnsOf(line: string, path: string): number[] {
  const header = line.split(',').map((cell) => cell.trim());
  const missing = COLUMNS.filter((column) => column !== 'till' && !header.includes(column));
  if (missing.length > 0)
    throw new Error(
      `The log ${path} lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}; the first line must name ${COLUMNS.join(',')} (till may be missing).`,
    );
  return COLUMNS.map((column) => header.indexOf(column));
}

/** @returns a visit, or what is wrong with the row */
function readRow(cells: readonly string[], places: readonly number[]): LoggedVisit | string {
  const [person, ...rest] = places.map((place) => (cells[place] ?? '').trim()) as [string, ...string[]];
  if (person === '') return 'person is empty';
  if ([person, ...rest].some((cell) => cell.length > LONGEST_CELL))
    return `a value has more than ${LONGEST_CELL} characters`;
  const times: (number | null)[] = [];
  for (const [at, name] of TIMES.entries()) {
    const cell = rest[at]!;
    const seconds = cell === '' ? null : Number(cell);
    if (seconds !== null && !(Number.isFinite(seconds) && Math.abs(seconds) < 1e11))
      return `${name} is not a number of seconds: ${cell}`;
    times.push(seconds);
  }
  const [joinedAt, leftAt, startedAt, endedAt] = times as [
    number | null,
    number | null,
    number | null,
    number | null,
  ];
  const till = rest[4] === '' ? null : rest[4]!;
  return faultOfTimes({ person, joinedAt, leftAt, startedAt, endedAt, till });
}

function faultOfTimes(visit: LoggedVisit): LoggedVisit | string {
  const { joinedAt, leftAt, startedAt, endedAt } = visit;
  if (joinedAt === null && startedAt === null) return 'neither queueEnteredAt nor serviceStartedAt is given';
  if (joinedAt === null && leftAt !== null) return 'queueLeftAt without queueEnteredAt';
  if (startedAt === null && endedAt !== null) return 'serviceEndedAt without serviceStartedAt';
  if (joinedAt !== null && leftAt !== null && leftAt < joinedAt) return 'queueLeftAt before queueEnteredAt';
  if (joinedAt !== null && startedAt !== null && startedAt < joinedAt)
    return 'serviceStartedAt before queueEnteredAt';
  if (startedAt !== null && endedAt !== null && endedAt < startedAt)
    return 'serviceEndedAt before serviceStartedAt';
  return visit;
}

/** What must hold between rows: they are sorted, and nobody is at two places at once. */
class KnownVisits {
  private last = Number.NEGATIVE_INFINITY;
  private readonly until = new Map<string, number>();

  faultOf(visit: LoggedVisit): string | null {
    const from = visit.joinedAt ?? visit.startedAt!;
    if (from < this.last) return 'begins before the row above it; sort the log by queueEnteredAt';
    this.last = from;
    const before = this.until.get(visit.person);
    if (before !== undefined && from < before)
      return `overlaps with an earlier visit of person ${visit.person}`;
    const end = visit.endedAt ?? (visit.startedAt === null ? visit.leftAt : null);
    this.until.set(visit.person, end ?? Number.POSITIVE_INFINITY);
    return null;
  }
}
