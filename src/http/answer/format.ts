import type { Request } from 'express';
import type { Format } from '../fields.ts';
import type { Route } from '../route.ts';

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
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
  const preferred = request.accepts(formats.map((format) => MEDIA_TYPES[format]));
  return formats.find((format) => MEDIA_TYPES[format] === preferred) ?? 'json';
}
