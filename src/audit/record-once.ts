import type { Db } from '../platform/database/db.ts';
import { insertOnce } from './audit.store.ts';
import type { AuditNote } from './audit-note.ts';

const HOUR_MS = 3_600_000;
/** Entries that a process remembers; beyond them it asks the database again. */
const MOST_KNOWN = 50_000;

interface Known {
  readonly hour: number;
  readonly entries: Set<string>;
}

const known = new WeakMap<Db, Known>();

/** The entries of this hour that are in the database for sure. */
function knownIn(db: Db, hour: number): Set<string> {
  const found = known.get(db);
  if (found?.hour === hour && found.entries.size < MOST_KNOWN) return found.entries;
  const entries = new Set<string>();
  known.set(db, { hour, entries });
  return entries;
}

export interface HourlyNote extends AuditNote {
  /** What makes the entry different from others of its action in the same hour, for example a network address. */
  readonly key: string;
  /** Entries of this action that a user gets in an hour; absent: no limit. */
  readonly most?: number;
}

const noteOf = ({ key, most, ...note }: HourlyNote) => {
  const hour = Math.floor(note.at.getTime() / HOUR_MS);
  return {
    ...note,
    once: `${note.action} ${hour} ${key}`,
    since: new Date(hour * HOUR_MS),
    most: most ?? null,
  };
};

/**
 * Adds an entry at most once an hour. After the first time in a process it costs a look into the memory, so it may be called
 * for each picture.
 */
export async function recordHourly(db: Db, note: HourlyNote): Promise<void> {
  const { once, ...rest } = noteOf(note);
  const entries = knownIn(db, Math.floor(note.at.getTime() / HOUR_MS));
  const entry = `${note.userId} ${once}`;
  if (entries.has(entry)) return;
  await insertOnce(db, { ...rest, once });
  entries.add(entry);
}
