import { once } from 'node:events';
import type { Response } from 'express';
import { z } from 'zod';
import type { CsvRow, Route } from '../route.ts';
import { type CsvFormat, csvHead, csvLine } from './csv-format.ts';
import { CONTENT_TYPES } from './format.ts';

/** Size of one write, characters. */
const CHUNK = 16_384;
/** A connection that accepts no data for so long is closed. */
const STUCK_MS = 30_000;

/** The column names: the fields of the rows, in their order. */
export function csvColumns({ csvRow, response, path }: Route): string[] {
  const row = csvRow ?? response;
  if (row instanceof z.ZodObject) return Object.keys(row.shape);
  throw new Error(`The items of ${path} are not objects, so they have no columns`);
}

/** Rows of which the first was already read, so that errors before it still get an error answer. */
export interface BegunCsv {
  readonly first: IteratorResult<CsvRow>;
  readonly rest: AsyncIterator<CsvRow>;
}

/** Reads the first row. */
export async function beginCsv(rows: AsyncIterable<CsvRow>): Promise<BegunCsv> {
  const rest = rows[Symbol.asyncIterator]();
  return { first: await rest.next(), rest };
}

interface SendCsvOptions {
  readonly response: Response;
  readonly format: CsvFormat;
  /** Whether each row is checked against the schema. */
  readonly check: boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends the rows at the pace of the client. An error while sending closes the connection, so that the client notices that
 * the list is incomplete.
 */
export async function sendCsv(
  route: Route,
  { first, rest }: BegunCsv,
  { response, format, check, signal }: SendCsvOptions,
): Promise<void> {
  const columns = csvColumns(route);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', CONTENT_TYPES.csv);
  const name = route.path.split('/').filter((part) => part && !part.startsWith('{'));
  response.setHeader('Content-Disposition', `attachment; filename="${name.join('-')}.csv"`);
  response.setTimeout(STUCK_MS, () => response.destroy());
  let text = csvHead(columns, format);
  try {
    // Node sends no body in an answer to HEAD, so no rows are read.
    for (let next = first; !next.done && response.req.method !== 'HEAD'; next = await rest.next()) {
      if (check) (route.csvRow ?? route.response)?.parse(next.value);
      text += csvLine(next.value, columns, format);
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
