import { readFile } from 'node:fs/promises';
import type { LabelledStay, LabelledVisit } from '../../../src/cameras/scenes/checks/times/true-visit.ts';
import { type CsvRow, parseCsv } from './csv.ts';

const COLUMNS = ['person', 'queueEnteredAt', 'queueLeftAt', 'serviceStartedAt', 'serviceEndedAt'] as const;
const HEADER = COLUMNS.join(',');

/** One row: a visit as a person saw it. It has at least one of the two stays. */
export interface Label extends LabelledVisit {
  /** Of the file, from 1. */
  readonly line: number;
  /** Id of the till of the service, where somebody wrote it. */
  readonly till?: string;
}

/** Further faults are only counted. */
const MOST_FAULTS = 10;

/**
 * Reads visits that a person labelled: `person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt`. Times are
 * seconds of the video or `[h:]m:s`, or empty. Columns are in any order, also `till`, which may lack; other columns are ignored. Values are separated by
 * comma, semicolon or tab; with semicolon or tab a number may have a decimal comma.
 * @returns the labels in the order of the file
 * @throws Error with file, line and remedy of every fault
 */
export async function readLabels(path: string, options: LabelOptions = {}): Promise<Label[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `The labels ${path} ${error.code === 'ENOENT' ? 'do not exist' : `cannot be read (${error.code})`}; give a CSV file with the columns ${HEADER}.`,
    );
  });
  // The format "Unicode text" of spreadsheets is UTF-16 with a byte order mark.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return parseLabels(new TextDecoder(encoding).decode(bytes), path, options);
}

export interface LabelOptions {
  /** Whether a header alone is right. */
  readonly mayLackVisits?: boolean | undefined;
}

/** @throws Error as `readLabels` */
export function parseLabels(
  text: string,
  path: string,
  { mayLackVisits = false }: LabelOptions = {},
): Label[] {
  const separator = [';', '\t'].find((one) => /^[^\r\n]*/.exec(text)![0].includes(one)) ?? ',';
  const rows = read(text, separator, path).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [header, ...rest] = rows;
  if (!header) throw new Error(`The labels ${path} are empty; write ${HEADER} and a line for each visit.`);
  const columns = findColumns(header, path);
  const till = header.cells.findIndex((cell) => cell.trim().toLowerCase() === 'till');
  if (rest.length === 0 && !mayLackVisits) {
    throw new Error(
      `The labels ${path} have a header and no visit: there is nothing to compare the video with.`,
    );
  }
  const faults: string[] = [];
  const labels = rest.flatMap((row): Label[] => {
    const found = readRow(row, { columns, width: header.cells.length, separator });
    if ('person' in found) return [withTill(found, row.cells[till]?.trim() ?? '', faults)];
    faults.push(...found.faults.map((fault) => `line ${row.line}: ${fault}`));
    return [];
  });
  refuse(path, faults.concat(overlaps(labels)));
  return labels;
}

/** @throws Error that lists the faults, where there is any */
export function refuse(path: string, faults: readonly string[], file = 'labels'): void {
  if (faults.length === 0) return;
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  const listed = [...faults.slice(0, MOST_FAULTS), ...more].map((fault) => `\n  ${fault}`);
  throw new Error(`The ${file} ${path} cannot be used:${listed.join('')}`);
}

function read(text: string, separator: string, path: string): CsvRow[] {
  try {
    return parseCsv(text, separator);
  } catch (error) {
    throw new Error(`The labels ${path} cannot be used:\n  ${(error as Error).message}`);
  }
}

type Column = (typeof COLUMNS)[number];

/** The index of each column. Case and blanks around a name do not matter. */
function findColumns({ cells }: CsvRow, path: string): Readonly<Record<Column, number>> {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const count = (column: Column) => names.filter((name) => name === column.toLowerCase()).length;
  const missing = COLUMNS.filter((column) => count(column) === 0);
  const twice = COLUMNS.filter((column) => count(column) > 1);
  const faults = [
    ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
    ...(twice.length > 0 ? [`has ${twice.join(', ')} twice`] : []),
  ];
  if (faults.length > 0) {
    throw new Error(`The first line of the labels ${path} ${faults.join(' and ')}; write ${HEADER}.`);
  }
  const entries = COLUMNS.map((column) => [column, names.indexOf(column.toLowerCase())]);
  return Object.fromEntries(entries) as Record<Column, number>;
}

function readRow(
  { line, cells }: CsvRow,
  {
    columns,
    width,
    separator,
  }: { columns: Readonly<Record<Column, number>>; width: number; separator: string },
): Label | { readonly faults: readonly string[] } {
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    const hint = separator === ',' ? '; is it a decimal comma? Write a point' : '';
    return { faults: [`has ${cells.length} values, the first line has ${width}${hint}`] };
  }
  const faults: string[] = [];
  const at = (column: Column) => (cells[columns[column]] ?? '').trim();
  const time = (column: Column) => {
    const value = readTime(at(column), separator);
    if (typeof value !== 'string') return value;
    faults.push(`${column} ${value}`);
    return null;
  };
  const stay = (begin: Column, end: Column): LabelledStay | null => {
    const [from, to] = [time(begin), time(end)];
    if (from === null && at(begin) === '' && at(end) !== '') faults.push(`has ${end} and no ${begin}`);
    if (from !== null && to !== null && to <= from) {
      faults.push(`${end} (${at(end)}) must be later than ${begin} (${at(begin)})`);
    }
    return from === null ? null : { from, to };
  };
  const person = at('person');
  if (person === '') faults.push('person is empty; write a name or number that tells people apart');
  const queue = stay('queueEnteredAt', 'queueLeftAt');
  const service = stay('serviceStartedAt', 'serviceEndedAt');
  if (faults.length === 0) faults.push(...orderFaults(queue, service));
  return faults.length > 0 ? { faults } : { line, person, queue, service };
}

function withTill(label: Label, till: string, faults: string[]): Label {
  if (till !== '' && !label.service) faults.push(`line ${label.line}: has a till and no service`);
  return till === '' ? label : { ...label, till };
}

function orderFaults(queue: LabelledStay | null, service: LabelledStay | null): string[] {
  if (!queue && !service) return ['has no time; a visit has a queue, a service or both'];
  if (!queue || !service) return [];
  if (queue.to === null) return ['has a service and no queueLeftAt; write when the queue was left for it'];
  if (service.from < queue.to) {
    return [`serviceStartedAt (${service.from}) must not be earlier than queueLeftAt (${queue.to})`];
  }
  return [];
}

const SECONDS = /^\d+(?:\.\d+)?$/;
const CLOCK = /^(?:(\d+):(?=[0-5]\d:))?(\d+):([0-5]\d(?:\.\d+)?)$/;

/** @returns seconds, null for an empty cell, or what is wrong with it */
function readTime(cell: string, separator: string): number | string | null {
  if (cell === '') return null;
  const text = separator === ',' ? cell : cell.replace(',', '.');
  const clock = CLOCK.exec(text);
  const [hours, minutes, seconds] = clock
    ? clock.slice(1).map((part) => Number(part ?? 0))
    : [0, 0, Number(text)];
  const value = hours! * 3600 + minutes! * 60 + seconds!;
  if ((clock || SECONDS.test(text)) && Number.isFinite(value)) return value;
  if (/^-\s*\d/.test(text)) return `(${shown(cell)}) is negative; times count from the begin of the video`;
  return `(${shown(cell)}) is no time; write seconds like 83.5, or 1:23.5`;
}

const shown = (cell: string): string => (cell.length > 30 ? `${cell.slice(0, 30)}…` : cell);

/** Finds people who are in two visits at once. */
function overlaps(labels: readonly Label[]): string[] {
  const sorted = labels.toSorted(
    (a, b) => compare(a.person, b.person) || spanOf(a)[0] - spanOf(b)[0] || a.line - b.line,
  );
  return sorted.flatMap((label, at) => {
    const before = sorted[at - 1];
    if (!before || before.person !== label.person) return [];
    const [from, until] = [spanOf(label)[0], spanOf(before)[1]];
    if (from >= until) return [];
    const end = Number.isFinite(until) ? `until ${until} s` : 'until the end of the video';
    return `line ${label.line}: person ${shown(label.person)} begins a visit at ${from} s, and that of line ${before.line} lasts ${end}; is it another person?`;
  });
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Start and end of a visit in seconds; Infinity where it lasts until the end of the video. */
function spanOf({ queue, service }: Label): [number, number] {
  const last = service ?? queue!;
  return [(queue ?? service!).from, last.to ?? Number.POSITIVE_INFINITY];
}
