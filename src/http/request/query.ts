import type { Request } from 'express';
import { z } from 'zod';
import { unknownName } from '../../platform/explain/expected.ts';
import { type Explained, explain, explained } from '../../platform/explain/explain.ts';
import { shownName } from '../../platform/explain/received.ts';
import { csvFormat } from '../answer/csv-format.ts';
import { ApiError } from '../errors.ts';
import type { Route } from '../route.ts';
import { isStorable } from './json-body.ts';
import { validate } from './validate.ts';

/** Far above what any route has. */
const MOST_NAMES = 100;

/** The schema of a route without query parameters. */
const NOTHING = z.object({});

/**
 * Parses the query of a request. An unknown parameter is a fault, because the answer would not be what the caller wants.
 * @param local the same with times instead of dates
 * @throws ApiError VALIDATION_ERROR, or the code that a custom issue names
 */
export function validateQuery(
  route: Pick<Route, 'csv' | 'query'>,
  { query, originalUrl }: Pick<Request, 'query' | 'originalUrl'>,
  local: Request['query'] = query,
): unknown {
  const { query: schema } = route;
  if (schema === undefined && !originalUrl.includes('?')) return undefined;
  if (countOf(originalUrl) > MOST_NAMES)
    throw new ApiError('VALIDATION_ERROR', `The query may have at most ${MOST_NAMES} parameters`);
  if (!isDecodable(originalUrl))
    throw new ApiError('VALIDATION_ERROR', 'The query is not valid percent-encoding: write % as %25');
  const unstorable = Object.entries(query).find(([, value]) =>
    [value].flat().some((v) => !isStorable(String(v))),
  );
  if (unstorable) throw new ApiError('VALIDATION_ERROR', `${unstorable[0]}: may not contain NUL`);
  const unknown = unknownIn(query, Object.keys(queryParameters(route) ?? {}));
  const issues = (route.csv && csvFormat.safeParse(query, explained()).error?.issues) ?? [];
  const found = explain(issues, { input: query, found: unknown });
  return validate(schema ?? NOTHING, local, { found, sent: query });
}

function unknownIn(query: Request['query'], known: readonly string[]): Explained[] {
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map((name) => ({
      path: shownName(name),
      message: unknownName(name, { kind: 'query parameter', known }),
    }));
}

/** The query parameters of a route by name; undefined for none. A CSV has its own. */
export function queryParameters({ csv, query }: Pick<Route, 'csv' | 'query'>): z.core.$ZodShape | undefined {
  if (!query && !csv) return undefined;
  return { ...(query && parametersOf(query)), ...(csv && csvFormat.shape) };
}

/** The parameters by name. @throws Error when the schema is not an object */
export function parametersOf(schema: z.ZodType): z.core.$ZodShape {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPipe) return parametersOf(schema.in as z.ZodType);
  throw new Error('The parameters are not an object');
}

/** The parameters of an address. */
function countOf(url: string): number {
  let count = 1;
  for (let at = url.indexOf('&'); at >= 0 && count <= MOST_NAMES; at = url.indexOf('&', at + 1)) count++;
  return count;
}

/** Node's parser accepts invalid percent-encoding; this check refuses it. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
