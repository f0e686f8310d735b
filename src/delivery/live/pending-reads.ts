/** Most insights that wait for a slow client; it can list older ones through the API. */
const MAX_INSIGHTS = 1_000;

/**
 * What one event stream still has to read. It holds no data, and repeated notifications of one kind count once, so that memory
 * does not grow for a slow client.
 */
export class PendingReads {
  #events = true;
  #metrics = true;
  #insightIds = new Set<string>();
  #wake: (() => void) | null = null;

  addEvents(): void {
    this.#events = true;
    this.#wake?.();
  }

  addMetrics(): void {
    this.#metrics = true;
    this.#wake?.();
  }

  addInsight(insightId: string): void {
    const [oldest] = this.#insightIds;
    if (oldest !== undefined && this.#insightIds.size >= MAX_INSIGHTS) this.#insightIds.delete(oldest);
    this.#insightIds.add(insightId);
    this.#wake?.();
  }

  /** Marks everything as unread, because notifications may have been missed. */
  addAll(): void {
    this.#events = true;
    this.#metrics = true;
    this.#wake?.();
  }

  /** Waits until there is something to read and takes it. Returns nothing to read when `signal` aborts. */
  async take(signal: AbortSignal): Promise<{ events: boolean; metrics: boolean; insightIds: string[] }> {
    const isQuiet = !this.#events && !this.#metrics && this.#insightIds.size === 0;
    if (isQuiet && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        signal.addEventListener('abort', wake);
        this.#wake = wake;
      });
      this.#wake = null;
    }
    const taken = { events: this.#events, metrics: this.#metrics, insightIds: [...this.#insightIds] };
    this.#events = false;
    this.#metrics = false;
    this.#insightIds.clear();
    return taken;
  }
}
