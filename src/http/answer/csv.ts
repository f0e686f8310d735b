import { once } from 'node:events';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Cell, CsvRow, Route } from '../route.ts';

const CSV = 'text/csv';
/** Characters written at once. */
const CHUNK = 16_384;
/** A client whose connection takes nothing for so long is gone. */
const STUCK_MS = 30_000;

/** Whether a route has its list as CSV and the caller wants that rather than JSON. */
export const wantsCsv = (route: Route, request: Request): boolean =>
  route.csv !== undefined && request.accepts(['application/json', CSV]) === CSV;

/** The columns: the fields of a list's items, in their order. */
export function csvColumns({ response, path }: Route): string[] {
  if (response instanceof z.ZodObject) return Object.keys(response.shape);
  throw new Error(`The items of ${path} are no objects: they have no columns`);
}

/** A row as RFC 4180 has it. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // A spreadsheet would take it for a formula, and run what somebody chose as the name of a device.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows that have begun to come: a refusal came before. */
export interface BegunCsv {
  readonly first: IteratorResult<CsvRow>;
  readonly rest: AsyncIterator<CsvRow>;
}

/** Asks for the first row. */
export async function beginCsv(rows: AsyncIterable<CsvRow>): Promise<BegunCsv> {
  const rest = rows[Symbol.asyncIterator]();
  return { first: await rest.next(), rest };
}

/**
 * Sends the rows as they come, at the pace at which the client takes them. A fault midway breaks the connection off,
 * so that nobody takes the beginning for the whole.
 */
export async function sendCsv(
  route: Route,
  { first, rest }: BegunCsv,
  { response, check, signal }: { response: Response; check: boolean; signal: AbortSignal },
): Promise<void> {
  const columns = csvColumns(route);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', `${CSV}; charset=utf-8; header=present`);
  const name = route.path.split('/').filter((part) => part && !part.startsWith('{'));
  response.setHeader('Content-Disposition', `attachment; filename="${name.join('-')}.csv"`);
  response.setTimeout(STUCK_MS, () => response.destroy());
  let text = csvLine(columns);
  try {
    // Of an answer to HEAD Node sends no body: then none is read.
    for (let next = first; !next.done && response.req.method !== 'HEAD'; next = await rest.next()) {
      if (check) route.response!.parse(next.value);
      text += csvLine(columns.map((column) => next.value[column]));
      if (text.length < CHUNK) continue;
      if (!response.write(text)) await once(response, 'drain', { signal });
      text = '';
    }
    response.end(text);
  } catch (error) {
    response.destroy();
    if (!signal.aborted) throw error;
  } finally {
    await rest.return?.();
  }
}
