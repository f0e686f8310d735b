import type { Logger } from './logger.ts';

/** A failure that is older than this and was not repeated is no longer reported. */
const LASTS_MS = 5 * 60_000;

/**
 * Failures of writes that the program can do without, for example because the disk is full or the bucket cannot be reached.
 * Each kind is logged once when it begins to fail and once when it works again.
 */
export class WriteFaults {
  readonly #log: Pick<Logger, 'warn' | 'info'>;
  readonly #now: () => number;
  readonly #failing = new Map<string, { readonly reason: string; readonly atMs: number }>();

  /** @param now monotonic ms */
  constructor(log: Pick<Logger, 'warn' | 'info'>, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** @param what plural, begins a sentence: `Images of alerts` */
  failed(what: string, error: unknown): void {
    const reason = reasonOf(error);
    if (!this.#failing.has(what)) this.#log.warn({ err: error }, `${what} cannot be written (${reason})`);
    this.#failing.set(what, { reason, atMs: this.#now() });
  }

  worked(what: string): void {
    if (this.#failing.delete(what)) this.#log.info(`${what} are written again`);
  }

  /** One sentence about the writes that fail now; null when none does. */
  get sentence(): string | null {
    const now = [...this.#failing].filter(([, { atMs }]) => this.#now() - atMs < LASTS_MS);
    if (now.length === 0) return null;
    return now.map(([what, { reason }]) => `${what} cannot be written (${reason}).`).join(' ');
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? 'no space left' : (code ?? message ?? String(error));
}
