interface Attempt {
  readonly status: string;
  readonly isFinalAttempt: boolean;
  readonly dueAt: Date;
}

/** The waiting attempts of an outbox. */
interface Waiting<Row, Key> {
  /** Finds the waiting attempts of the series of these rows. It is not called without rows. */
  find(rows: readonly Row[]): Promise<readonly (Key & Pick<Attempt, 'dueAt'>)[]>;
  /** What only the attempts of one series have in common. */
  seriesOf(row: Key): string;
}

/** Adds when the next attempt of its series is due: the row itself while it waits; null when there is none. */
export async function withNextAttempts<Key, Row extends Attempt & Key>(
  rows: readonly Row[],
  { find, seriesOf }: Waiting<Row, Key>,
): Promise<(Row & { nextAttemptAt: Date | null })[]> {
  const failed = rows.filter((row) => row.status === 'failed' && !row.isFinalAttempt);
  const waiting = failed.length === 0 ? [] : await find(failed);
  const dueAt = new Map(waiting.map((row) => [seriesOf(row), row.dueAt]));
  return rows.map((row) => ({
    ...row,
    nextAttemptAt: row.status === 'pending' ? row.dueAt : (dueAt.get(seriesOf(row)) ?? null),
  }));
}
