import type { Request } from 'express';
import type { Format } from '../fields.ts';
import type { Route } from '../route.ts';

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
};

/** With the parameters that a header Accept may name. */
export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  html: 'text/html; charset=utf-8',
};

/** The formats of the answers of a route. */
const formatsOf = ({ csv, html }: Route): Format[] => [
  'json',
  ...(csv ? (['csv'] as const) : []),
  ...(html ? (['html'] as const) : []),
];

/**
 * The format of an answer: what `format` of the query names, or else what the caller prefers.
 * @param query validated, so that `format` is one of the route
 */
export function formatOf(route: Route, request: Request, query: unknown): Format {
  if (!route.csv && !route.html) return 'json';
  const named = (query as { readonly format?: Format } | undefined)?.format;
  if (named) return named;
  const formats = formatsOf(route);
  const preferred = request.accepts(formats.map((format) => CONTENT_TYPES[format]));
  return formats.find((format) => CONTENT_TYPES[format] === preferred) ?? 'json';
}
