import type { ApiClient } from '../support/api-client.ts';

/** A queue length that the simulated shop reaches within about a minute. */
const LINE = 3;
const NAME = 'Queue is growing';

/** Creates the rule of the demo for this scene, unless it exists. */
export async function ensureRule(client: ApiClient, sceneId: string): Promise<void> {
  const rules = await client.get<{ name: string }[]>(`/alerts/rules?sceneId=${sceneId}&limit=100`);
  if (rules.some(({ name }) => name === NAME)) return;
  await client.post('/alerts/rules', {
    name: NAME,
    sceneId,
    severity: 'warning',
    conditions: [{ metricPath: 'current.inQueue', operator: 'GTE', threshold: LINE }],
    cooldownMinutes: 1,
  });
}

interface Insight {
  readonly id: string;
  readonly triggeredAt: string;
  readonly message: string;
  readonly vlmStatus: string;
  readonly vlmSummary: string | null;
  readonly vlmStructuredResult: { riskLevel: string; suggestions: string[] } | null;
}

/** Finds the newest alert since the start of the demo once it has its insight, and describes both and their images. */
export class LatestAlert {
  readonly #client: ApiClient;
  readonly #path: string;
  #lastId: string | null = null;

  constructor(client: ApiClient, sceneId: string) {
    this.#client = client;
    this.#path = `/analysis/insights?sceneId=${sceneId}&startDate=${new Date().toISOString()}&limit=1`;
  }

  /** @returns null where there is no new alert */
  async next(): Promise<string | null> {
    const [newest] = await this.#client.get<Insight[]>(this.#path);
    if (!newest || newest.vlmStatus === 'pending' || newest.id === this.#lastId) return null;
    this.#lastId = newest.id;
    const images = await this.#client.get<{ url: string }[]>(`/analysis/insights/${newest.id}/snapshots`);
    const result = newest.vlmStructuredResult;
    return [
      `Alert    ${newest.triggeredAt}  ${newest.message}`,
      `Insight  ${newest.vlmSummary ?? newest.vlmStatus}${result ? ` Risk: ${result.riskLevel}.` : ''}`,
      ...(result?.suggestions.map((suggestion) => `         → ${suggestion}`) ?? []),
      ...images.map(({ url }) => `Image    ${url}`),
    ].join('\n');
  }
}
