import { stays } from './compare-times.ts';
import type { MarkedTimes } from './times.schema.ts';

const HEADER = 'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt';

/** The file that `evaluate -- visits` reads. Who comes again has another line. */
export const labelsCsv = (visits: readonly MarkedTimes[]): string =>
  [HEADER, ...visits.map(rowOf)].map((line) => `${line}\r\n`).join('');

function rowOf(visit: MarkedTimes): string {
  const { person, queue, service } = stays(visit);
  const times = [queue?.from, queue?.to, service?.from, service?.to].map((time) => time ?? '');
  // A cell that begins with such a character is a formula for spreadsheets.
  const name = /^[=+\-@]/.test(person) ? `'${person}` : person;
  return [`"${name.replaceAll('"', '""')}"`, ...times].join(',');
}
