import { CASES, kindOf, REQUIRED } from './cases.ts';
import type { Call } from './client.ts';
import type { IdPlace, Operation } from './operations.ts';
import type { Rows } from './rows.ts';

/** The ids of a call, one for each place that names something. */
export type Ids = ReadonlyMap<IdPlace, string>;

export const placesOf = ({ name, ids }: Operation) => ids.filter((place) => kindOf(name, place) !== null);

export const idsOf = (operation: Operation, rows: Rows): Ids =>
  new Map(placesOf(operation).map((place) => [place, rows[kindOf(operation.name, place)!]]));

/** Values of the parameters that a call must have, by name. */
export const requiredOf = ({ parameters }: Operation): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ in: where, name, required }) =>
      where === 'query' && required && REQUIRED[name] ? [[name, REQUIRED[name]]] : [],
    ),
  );

/** A call that is right but for what these ids name. */
export function callOf(operation: Operation, rows: Rows, ids: Ids, sent = requiredOf(operation)): Call {
  let path = operation.path;
  const query = new URLSearchParams(sent);
  const body = CASES[operation.name]!.body?.(rows) as Record<string, unknown> | undefined;
  for (const [{ where, name, many }, id] of ids) {
    if (where === 'path') path = path.replace(`{${name}}`, id);
    if (where === 'query') query.set(name, id);
    if (where === 'body' && body && name in body) body[name] = many ? [id] : id;
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { method: operation.method, path: `${path}${search}`, body, file: CASES[operation.name]!.file };
}
