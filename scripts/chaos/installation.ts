import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createUser } from '../../src/access/administer.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import type { Cluster } from '../postgres/embedded.ts';
import { ApiClient } from '../support/api-client.ts';
import { ensureKey, migrate } from '../support/database.ts';
import { startOwnCluster } from '../support/own-cluster.ts';
import { freePort, lastLines, type Program, startProgram } from '../support/programs.ts';
import { ask, recordHistory } from './history.ts';

export interface InstallationOptions {
  readonly workers: number;
  /** Leases of the nodes; renewed three times in each. */
  readonly leaseSeconds: number;
  /** Whether the API does background work too, as it does by default. */
  readonly apiJobs?: boolean;
  /** DATA_DIR of its programs; a folder of its own where not given. */
  readonly dataDir?: string;
}

export interface Operation {
  readonly at: string;
  readonly what: string;
}

/** A scene of the harness, and where it is analysed. */
export interface Watched {
  readonly deviceId: string;
  readonly sceneId: string;
}

/** A database, an API and workers of the harness alone, as processes; a folder that goes with it. */
export class Installation {
  readonly folder: string;
  readonly baseUrl: string;
  readonly client: ApiClient;
  readonly key: string;
  readonly workers: Program[] = [];
  /** The present one: it may be killed and started again. */
  api: Program;
  /** Everything the harness did, in order. */
  readonly operations: Operation[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  #cluster: Cluster;

  private constructor(parts: {
    folder: string;
    cluster: Cluster;
    key: string;
    port: number;
    leaseSeconds: number;
    apiJobs: boolean;
    dataDir: string;
  }) {
    const { folder, cluster, key, port, leaseSeconds, apiJobs, dataDir } = parts;
    this.folder = folder;
    this.key = key;
    this.#cluster = cluster;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.client = new ApiClient(this.baseUrl, key);
    this.#environment = {
      DATABASE_URL: cluster.url,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      KEYLESS_RATE_LIMIT_PER_MINUTE: '1000000000',
      AUTH_FAILURES_PER_MINUTE: '1000000000',
      LEASE_SECONDS: String(leaseSeconds),
      RENEW_SECONDS: String(leaseSeconds / 3),
      LANES: '1',
      MAX_CONCURRENT_DEVICES: '16',
      STREAM_ALLOW_HOSTS: '127.0.0.1',
      API_JOBS: String(apiJobs),
    };
    this.api = startProgram('api', this.#environment, folder);
  }

  static async open(options: InstallationOptions): Promise<Installation> {
    const { workers, leaseSeconds, apiJobs = true } = options;
    const folder = await mkdtemp(join(tmpdir(), 'analytics-chaos-'));
    const cluster = await startOwnCluster({ dataDir: join(folder, 'postgres') });
    await migrate(cluster.url);
    await recordHistory(cluster.url);
    const key = await ensureKey(cluster.url, folder);
    const port = await freePort(0);
    const made = new Installation({
      ...{ folder, cluster, key, port, leaseSeconds, apiJobs },
      dataDir: options.dataDir ?? folder,
    });
    try {
      for (let number = 0; number < workers; number++) made.startWorker(number);
      await made.until('the API is ready', async () => (await fetch(`${made.baseUrl}/readyz`)).ok, 60);
      await made.until('the workers are ready', async () => (await made.liveNodes()) >= workers, 120);
    } catch (error) {
      await made.close();
      throw error;
    }
    return made;
  }

  get databaseUrl(): string {
    return this.#cluster.url;
  }

  /** Of its programs. */
  get environment(): NodeJS.ProcessEnv {
    return this.#environment;
  }

  startWorker(number: number): Program {
    const environment = { ...this.#environment, NODE_NAME: `chaos-${number}` };
    const worker = startProgram('worker', environment, this.folder);
    this.workers[number] = worker;
    this.note(`worker chaos-${number} started, pid ${worker.pid}`);
    return worker;
  }

  startApi(): void {
    this.api = startProgram('api', this.#environment, this.folder);
    this.note(`API started, pid ${this.api.pid}`);
  }

  /** Another user. @returns what they call the API with */
  async addUser(email: string): Promise<ApiClient> {
    const db = createDb(this.databaseUrl, { maxConnections: 1 });
    try {
      const { key } = await createUser(db, email, false);
      if (key === null) throw new Error(`There is a user ${email} already.`);
      return new ApiClient(this.baseUrl, key);
    } finally {
      await db.$disconnect();
    }
  }

  async stopDatabase(how: 'fast' | 'crash'): Promise<void> {
    this.note(`database stopped: ${how}`);
    // SIGQUIT is Postgres's "immediate": no word to its clients, recovery at the next start.
    if (how === 'crash') process.kill(this.#cluster.pid, 'SIGQUIT');
    await this.#cluster.stop();
  }

  async startDatabase(): Promise<void> {
    const port = this.#cluster.port;
    this.#cluster = await startOwnCluster({ dataDir: join(this.folder, 'postgres'), port });
    this.note('database started');
  }

  async liveNodes(): Promise<number> {
    const rows = await ask(
      this.databaseUrl,
      `SELECT id FROM "ComputeNode" WHERE health <> 'offline' AND NOT "isDraining"
         AND "lastHeartbeatAt" > clock_timestamp() - interval '30 seconds'`,
    );
    return rows.length;
  }

  /** A camera with a scene that covers the simulated shop. */
  async addCamera(
    name: string,
    streamUrl: string,
    analysisFps: number,
    client = this.client,
  ): Promise<Watched> {
    const device = await client.post<{ id: string }>('/devices', { name, streamUrl, analysisFps });
    const scene = await client.post<{ id: string }>('/scenes', {
      deviceId: device.id,
      name,
      analysisType: 'queue_analysis',
      config: { zones: SHOP_ZONES },
    });
    return { deviceId: device.id, sceneId: scene.id };
  }

  /** @returns the run's id */
  async start({ deviceId, sceneId }: Watched, client = this.client): Promise<string> {
    const path = `/devices/${deviceId}/analysis/start`;
    const { analysisId: taskId } = await client.post<{ analysisId: string }>(path, { sceneId });
    this.note(`run ${taskId} started`);
    return taskId;
  }

  async stop({ deviceId }: Watched, client = this.client): Promise<void> {
    await client.post(`/devices/${deviceId}/analysis/stop`, {});
    this.note(`runs of ${deviceId} stopped`);
  }

  note(what: string): void {
    this.operations.push({ at: new Date().toISOString(), what });
  }

  /** @returns how long it took, in seconds. @throws Error naming `what`, with the last lines of the programs */
  async until(what: string, look: () => Promise<boolean>, deadlineSeconds: number): Promise<number> {
    const sinceMs = performance.now();
    for (;;) {
      if (await look().catch(() => false)) return (performance.now() - sinceMs) / 1000;
      if (performance.now() - sinceMs > deadlineSeconds * 1000) {
        const logs = [this.api, ...this.workers].map((program) => lastLines(program, 3)).join('\n');
        throw new Error(`Not within ${deadlineSeconds} s: ${what}. The last lines:\n${logs}`);
      }
      await pause(100);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((program) => program.stop()));
    await this.#cluster.stop();
    if (!process.env.CHAOS_KEEP) await rm(this.folder, { recursive: true, force: true });
  }
}
