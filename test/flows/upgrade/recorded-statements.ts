import type { RecordedCall } from './recorded-version.ts';

/** So many calls of each statement are kept, and all that added rows. */
const MOST_CALLS = 4;

interface Sent {
  readonly text: string;
  values: (string | null)[];
  readonly ids: Record<string, string[]>;
}

/**
 * Reads the statements out of a log of PostgreSQL, whose lines begin with `~` and the process. Statements about other things than
 * these tables are left out: jobs, locks, partitions.
 */
export function readStatements(
  log: string,
  tables: readonly string[],
): { readonly texts: string[]; readonly calls: RecordedCall[] } {
  const about = new RegExp(`"(${tables.join('|')})"`);
  const texts: string[] = [];
  const times = new Map<string, number>();
  const calls: RecordedCall[] = [];
  for (const { text, values, ids } of readSent(log)) {
    if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(text) || !about.test(text)) continue;
    if (/\bpg_(class|inherits|stat|catalog)|_prisma_migrations|partitions/.test(text)) continue;
    const time = (times.get(text) ?? 0) + 1;
    times.set(text, time);
    const addsRows = Object.keys(ids).length > 0;
    if (time > MOST_CALLS && !addsRows) continue;
    if (!texts.includes(text)) texts.push(text);
    calls.push({ text: texts.indexOf(text), values, ...(addsRows && { ids }) });
  }
  return { texts, calls };
}

/** Every statement, with its values and the ids of the rows that it added. */
function readSent(log: string): Sent[] {
  const sent: Sent[] = [];
  const current = new Map<string, Sent>();
  const entries = log.matchAll(/^~(?<pid>\d+) (?<kind>\w+): {2}(?<said>(?:.*)(?:\n\t.*)*)/gm);
  for (const { groups } of entries) {
    const { pid, kind } = groups!;
    // A line break is followed by a tab that PostgreSQL adds.
    const said = groups!.said!.replaceAll('\n\t', '\n');
    const statement = /^(?:execute [^:]*|statement): (?<text>.*)$/s.exec(said)?.groups?.text;
    const added = /^new row (?<table>\S+) (?<id>\S+)$/.exec(said)?.groups;
    if (kind === 'LOG' && statement !== undefined) {
      const next: Sent = { text: statement, values: [], ids: {} };
      sent.push(next);
      current.set(pid!, next);
    } else if (kind === 'DETAIL' && /^parameters: /i.test(said)) {
      current.get(pid!)!.values = readValues(said);
    } else if (kind === 'LOG' && added) {
      const { ids } = current.get(pid!)!;
      ids[added.table!] = [...(ids[added.table!] ?? []), added.id!];
    }
  }
  return sent;
}

/** Of `Parameters: $1 = 'it''s', $2 = NULL`. */
const readValues = (said: string): (string | null)[] =>
  [...said.matchAll(/\$\d+ = (?:NULL|'(?<value>(?:[^']|'')*)')/g)].map(
    ({ groups }) => groups?.value?.replaceAll("''", "'") ?? null,
  );
