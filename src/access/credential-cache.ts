/** How long a row is cached; a revoked key or session works at most this much longer. */
const CACHE_MS = 10_000;
const CACHED_ROWS = 10_000;
const TOUCH_MS = 60_000;

export interface CachedCredential<Row> {
  readonly row: Row;
  /** Clock time in ms until which the row is valid. */
  readonly until: number;
  /** Clock time in ms of the last use that is stored. */
  usedAt: number;
}

/** Rows of keys or sessions that were authenticated a short time ago. */
export class CredentialCache<Row extends { readonly lastUsedAt: Date | null }> {
  readonly #known = new Map<string, CachedCredential<Row>>();
  readonly #underWay = new Map<string, Promise<Row | null>>();
  readonly #find: (id: string) => Promise<Row | null>;

  constructor(find: (id: string) => Promise<Row | null>) {
    this.#find = find;
  }

  /** Also a row that is too old: it says that the id was valid. */
  get(id: string): CachedCredential<Row> | null {
    return this.#known.get(id) ?? null;
  }

  /** Reads a row. It is cached only if it is right, so that guesses cannot fill the cache. */
  async read(id: string, now: number, isRight: (row: Row) => boolean): Promise<CachedCredential<Row> | null> {
    const row = await this.#shared(id);
    this.#known.delete(id);
    if (!row || !isRight(row)) return null;
    const known = { row, until: now + CACHE_MS, usedAt: row.lastUsedAt?.getTime() ?? 0 };
    // A map keeps insertion order, so its first entry is the oldest.
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= CACHED_ROWS) this.#known.delete(oldest);
    this.#known.set(id, known);
    return known;
  }

  /** Concurrent requests for the same row share one query. */
  #shared(id: string): Promise<Row | null> {
    const running = this.#underWay.get(id);
    if (running) return running;
    const started = this.#find(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, started);
    return started;
  }
}

/** Whether this use must be stored; once a minute. Call it for each use. */
export function isUseDue(known: CachedCredential<unknown>, now: number): boolean {
  if (now - known.usedAt < TOUCH_MS) return false;
  known.usedAt = now;
  return true;
}
