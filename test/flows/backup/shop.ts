import { expect } from '@jest/globals';
import { ApiClient } from '../../../scripts/support/api-client.ts';
import { ensureKey } from '../../../scripts/support/database.ts';
import {
  type Program,
  type ServerProgram,
  startProgram,
  startServer,
} from '../../../scripts/support/programs.ts';
import { query } from '../../../scripts/support/sql.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { runCommand } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';

/** What an installation keeps. */
export interface Kept {
  readonly databaseUrl: string;
  /** DATA_DIR: as in development, the secrets; and the pictures where there is no bucket. */
  readonly dataDir: string;
  /** Of the pictures. */
  readonly bucket?: { readonly endpoint: string; readonly name: string };
}

const LEASE_SECONDS = 3;
/** Of an alert: with boxes, without, and a thumbnail. */
const IMAGES = 3;

/** An API and a worker, as processes of their own. */
export class Shop {
  readonly #kept: Kept;
  readonly #api: ServerProgram;
  readonly #worker: Program;
  readonly #key: string;

  private constructor(kept: Kept, key: string, api: ServerProgram, worker: Program) {
    this.#kept = kept;
    this.#key = key;
    this.#api = api;
    this.#worker = worker;
  }

  /** @param key of the installation; without it a user and a key are made */
  static async open(kept: Kept, node: string, logFolder: string, key?: string): Promise<Shop> {
    const env = {
      DATABASE_URL: kept.databaseUrl,
      DATA_DIR: kept.dataDir,
      LEASE_SECONDS: String(LEASE_SECONDS),
      RENEW_SECONDS: '1',
      LANES: '1',
      EXECUTION_PROVIDER: 'cpu',
      NODE_NAME: node,
      ...(kept.bucket && {
        ...{ S3_ENDPOINT: kept.bucket.endpoint, S3_BUCKET: kept.bucket.name },
        ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
      }),
    };
    const known = key ?? (await ensureKey(kept.databaseUrl, kept.dataDir));
    const api = await startServer('src/api.ts', { env, logFolder, readyPath: '/readyz' });
    const shop = new Shop(kept, known, api, startProgram('src/worker.ts', env, logFolder));
    await eventually('the node is online', async () => {
      const sql = `SELECT 1 FROM "ComputeNode" WHERE name = $1 AND health = 'healthy'`;
      return (await shop.query(sql, [node])).length > 0;
    });
    return shop;
  }

  get key(): string {
    return this.#key;
  }

  get client(): ApiClient {
    return new ApiClient(this.#api.url, this.#key);
  }

  query<Row extends Record<string, unknown>>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return query<Row>(this.#kept.databaseUrl, sql, values);
  }

  /** Starts the analysis of a new simulated shop. @returns the id of the scene */
  async startAnalysis(): Promise<string> {
    const streamUrl = 'sim:shop?seed=1&start=120';
    const device = await this.client.post<{ id: string }>('/devices', {
      name: 'Till',
      streamUrl,
      analysisFps: 2,
    });
    const body = {
      deviceId: device.id,
      name: 'Queue',
      analysisType: 'queue_analysis',
      config: { zones: SHOP_ZONES },
    };
    const { id } = await this.client.post<{ id: string }>('/scenes', body);
    await this.client.post(`/devices/${device.id}/analysis/start`, { sceneId: id });
    await this.untilFrames(id, 5);
    return id;
  }

  /** Waits until a worker has stored so many frames more than now. */
  async untilFrames(sceneId: string, more: number): Promise<void> {
    const frames = async () => (await this.run(sceneId)).frames;
    const before = await frames();
    await eventually('frames are stored', async () => (await frames()) >= before + more);
  }

  async run(sceneId: string): Promise<{ id: string; status: string; epoch: number; frames: number }> {
    const [run] = await this.query<{ id: string; status: string; epoch: number; frames: number }>(
      `SELECT id, status, epoch, coalesce((stats->>'processedFrames')::int, 0) AS frames
       FROM "AnalysisTask" WHERE "sceneId" = $1`,
      [sceneId],
    );
    return run!;
  }

  /** Adds a rule that fires at the next frame, and waits for its alert event, images and insight. @returns its id */
  async fireAlert(sceneId: string, name: string): Promise<string> {
    const conditions = [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 0 }];
    const rule = { name, sceneId, severity: 'warning', conditions, cooldownMinutes: 1440 };
    const { id: ruleId } = await this.client.post<{ id: string }>('/alerts/rules', rule);
    const alert = await eventually(`the alert of ${name} has its images and insight`, async () => {
      const [found] = await this.query<{ id: string }>(
        `SELECT a.id FROM "AlertEvent" a JOIN "Insight" i ON i."alertEventId" = a.id
         WHERE a."ruleId" = $1 AND i."vlmStatus" = 'completed'
           AND (SELECT count(*) FROM "StoredImage" s WHERE s."alertEventId" = a.id) = $2`,
        [ruleId, IMAGES],
      );
      return found;
    });
    return alert.id;
  }

  /** Opens every picture of an alert event at its signed address. @returns how many there are */
  async openPictures(alertId: string): Promise<number> {
    const [{ id }] = (await this.query<{ id: string }>('SELECT id FROM "Insight" WHERE "alertEventId" = $1', [
      alertId,
    ])) as [{ id: string }];
    const images = await this.client.get<{ url: string }[]>(`/analysis/insights/${id}/snapshots`);
    for (const { url } of images) {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect([bytes[0], bytes[1]]).toEqual([0xff, 0xd8]);
    }
    return images.length;
  }

  /** Ends both programs as a power failure does. */
  async crash(): Promise<void> {
    await Promise.all([this.#api.kill(), this.#worker.kill()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#api.stop(), this.#worker.stop()]);
  }
}

/** Audits the books of a restored database, as an operator does. */
export async function auditRestored({ databaseUrl, dataDir }: Kept): Promise<void> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const { code, stdout, stderr } = await runCommand('admin', ['audit-ledger', '--json'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ users: 1, differences: [] });
}

/** The names of the alert rules whose events a database has. */
export async function alertsIn({ databaseUrl }: Kept): Promise<string[]> {
  const rows = await query<{ name: string }>(
    databaseUrl,
    'SELECT r.name FROM "AlertEvent" a JOIN "AlertRule" r ON r.id = a."ruleId" ORDER BY a."triggeredAt"',
  );
  return rows.map(({ name }) => name);
}
