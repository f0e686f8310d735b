/** A client that takes nothing for long learns of so many insights; older ones it can list. */
const MAX_INSIGHTS = 1_000;

/**
 * What one stream has still to look at. It holds no data, and news of one kind that come before they are taken are
 * one: however slow a client is, nothing piles up behind it.
 */
export class StreamNews {
  #events = true;
  #metrics = true;
  #insightIds = new Set<string>();
  #wake: (() => void) | null = null;

  hasEvents(): void {
    this.#events = true;
    this.#wake?.();
  }

  hasMetrics(): void {
    this.#metrics = true;
    this.#wake?.();
  }

  hasInsight(insightId: string): void {
    const [oldest] = this.#insightIds;
    if (oldest !== undefined && this.#insightIds.size >= MAX_INSIGHTS) this.#insightIds.delete(oldest);
    this.#insightIds.add(insightId);
    this.#wake?.();
  }

  /** Nobody listened for a while. */
  mayHaveMissed(): void {
    this.#events = true;
    this.#metrics = true;
    this.#wake?.();
  }

  /** Waits for news; they count as taken. Comes back at once, with none, when `signal` ends it. */
  async take(signal: AbortSignal): Promise<{ events: boolean; metrics: boolean; insightIds: string[] }> {
    const isQuiet = !this.#events && !this.#metrics && this.#insightIds.size === 0;
    if (isQuiet && !signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const wake = this.#wake!;
      signal.addEventListener('abort', wake, { once: true });
      await woken;
      signal.removeEventListener('abort', wake);
      this.#wake = null;
    }
    const taken = { events: this.#events, metrics: this.#metrics, insightIds: [...this.#insightIds] };
    this.#events = false;
    this.#metrics = false;
    this.#insightIds.clear();
    return taken;
  }
}
