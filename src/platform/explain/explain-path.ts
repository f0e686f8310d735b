import { closest } from './closest.ts';
import { shownName } from './received.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/**
 * The message for an unknown path, with the path that the caller most likely meant.
 * @param path as sent, of any length
 * @param known all paths, with parameters in braces: `/api/v1/scenes/{id}`
 */
export function explainPath(path: string, known: readonly string[]): string {
  const near = nearest(segmentsOf(path.slice(0, 300)), known);
  const what = `There is no path ${shownName(path)}`;
  return near === undefined ? `${what}; /docs lists all paths` : `${what}. Did you mean ${near}?`;
}

function nearest(sent: readonly string[], known: readonly string[]): string | undefined {
  const prefix = segmentsOf(known[0] ?? '').slice(0, 2);
  const begins = prefix.every((segment, at) => sent[at]?.toLowerCase() === segment);
  const full = begins ? sent : [...prefix, ...sent.filter((segment) => !prefix.includes(segment))];
  const fits = known
    .map((path) => ({ path, filled: fill(segmentsOf(path), full) }))
    .find(({ filled }) => filled !== undefined);
  return fits?.filled;
}

/** The known path with the ids of the sent one; undefined if a segment differs. */
function fill(wanted: readonly string[], sent: readonly string[]): string | undefined {
  if (wanted.length < sent.length) return undefined;
  const filled: string[] = [];
  for (const [at, segment] of wanted.entries()) {
    const given = sent[at];
    const isParameter = segment.startsWith('{');
    if (given === undefined || isParameter !== (ID.test(given) || /^[{:]/.test(given))) return undefined;
    if (!isParameter && closest(given, [segment]) === undefined) return undefined;
    filled.push(isParameter ? (ID.test(given) ? given : segment) : segment);
  }
  return `/${filled.join('/')}`;
}
