import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { createUser } from '../../src/access/administer.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import type { Cluster } from '../postgres/embedded.ts';
import { ApiClient } from './api-client.ts';
import { ensureKey, migrate, startOwnCluster } from './database.ts';
import { freePort } from './loopback.ts';
import { lastLines, NO_RATE_LIMITS, type Program, startProgram } from './programs.ts';
import { query } from './sql.ts';
import { until } from './until.ts';

export interface InstallationOptions {
  readonly workers: number;
  /** LEASE_SECONDS of the nodes. They renew a lease three times within it. */
  readonly leaseSeconds?: number;
  /** More variables of all its programs. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A camera with its scene. */
export interface Camera {
  readonly deviceId: string;
  readonly sceneId: string;
}

/** Started cameras; the entries of the two lists belong together. */
export interface StartedCameras {
  readonly cameras: readonly Camera[];
  readonly taskIds: readonly string[];
}

/** A database, an API and workers for one command alone, each a process, with a folder of their own. */
export class Installation {
  readonly folder: string;
  readonly baseUrl: string;
  readonly client: ApiClient;
  readonly key: string;
  readonly leaseSeconds: number;
  /** The environment of its programs. */
  readonly environment: NodeJS.ProcessEnv;
  readonly workers: Program[] = [];
  /** The current API process: a command may kill it and start another one. */
  api: Program;
  /** Everything that the command did to this installation, in order. */
  readonly operations: { readonly at: string; readonly what: string }[] = [];
  #cluster: Cluster;

  private constructor(
    { folder, cluster, key, port }: { folder: string; cluster: Cluster; key: string; port: number },
    { leaseSeconds = 15, environment }: InstallationOptions,
  ) {
    this.folder = folder;
    this.key = key;
    this.leaseSeconds = leaseSeconds;
    this.#cluster = cluster;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.client = new ApiClient(this.baseUrl, key);
    this.environment = {
      ...NO_RATE_LIMITS,
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      LEASE_SECONDS: String(leaseSeconds),
      RENEW_SECONDS: String(leaseSeconds / 3),
      LANES: '1',
      MAX_CONCURRENT_DEVICES: '16',
      STREAM_ALLOW_HOSTS: '127.0.0.1',
      API_JOBS: 'true',
      ...environment,
    };
    this.api = startProgram('src/api.ts', this.environment, folder);
  }

  /** Starts everything and waits until the API and the workers are ready. */
  static async open(options: InstallationOptions): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'analytics-installation-'));
    const cluster = await startOwnCluster({ dataDir: join(folder, 'postgres') });
    await migrate(cluster.url);
    const key = await ensureKey(cluster.url, folder);
    const installation = new Installation({ folder, cluster, key, port: await freePort() }, options);
    try {
      for (let number = 0; number < options.workers; number++) installation.startWorker(number);
      await installation.untilReady();
      await installation.untilNodes(options.workers);
    } catch (error) {
      await installation.close();
      throw error;
    }
    return installation;
  }

  get databaseUrl(): string {
    return this.#cluster.url;
  }

  /** Process id of its PostgreSQL. */
  get databasePid(): number {
    return this.#cluster.pid;
  }

  /** Runs one query over a new connection. */
  query<Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return query<Row>(this.databaseUrl, sql, values);
  }

  startWorker(number: number): void {
    const environment = { ...this.environment, NODE_NAME: `node-${number}` };
    const worker = startProgram('src/worker.ts', environment, this.folder);
    this.workers[number] = worker;
    this.note(`worker node-${number} started, pid ${worker.pid}`);
  }

  startApi(): void {
    this.api = startProgram('src/api.ts', this.environment, this.folder);
    this.note(`API started, pid ${this.api.pid}`);
  }

  /** How many of its programs have ended by themselves. */
  programsEnded(): number {
    return [this.api, ...this.workers].filter(({ running }) => !running).length;
  }

  /** Adds another user. @returns the client of this user */
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
    // SIGQUIT is Postgres's "immediate" shutdown: it does not notify its clients and recovers at the next start.
    if (how === 'crash') process.kill(this.#cluster.pid, 'SIGQUIT');
    await this.#cluster.stop();
  }

  async startDatabase(): Promise<void> {
    const { port } = this.#cluster;
    this.#cluster = await startOwnCluster({ dataDir: join(this.folder, 'postgres'), port });
    this.note('database started');
  }

  async liveNodes(): Promise<number> {
    const rows = await this.query(
      `SELECT id FROM "ComputeNode" WHERE health <> 'offline' AND NOT "isDraining"
         AND "lastHeartbeatAt" > clock_timestamp() - interval '30 seconds'`,
    );
    return rows.length;
  }

  /** Adds a camera with a scene whose zones cover the simulated shop. */
  async addCamera(
    name: string,
    streamUrl: string,
    analysisFps: number,
    client = this.client,
  ): Promise<Camera> {
    const device = await client.post<{ id: string }>('/devices', { name, streamUrl, analysisFps });
    const scene = await client.post<{ id: string }>('/scenes', {
      deviceId: device.id,
      name,
      analysisType: 'queue_analysis',
      config: { zones: SHOP_ZONES },
    });
    return { deviceId: device.id, sceneId: scene.id };
  }

  async untilOnline({ deviceId }: Camera): Promise<void> {
    const isOnline = async () =>
      (await this.client.get<{ onlineStatus: string }>(`/devices/${deviceId}`)).onlineStatus === 'online';
    await this.until('the device is online', isOnline, 60);
  }

  /** Adds an alert rule. By default it fires at the next frame, whatever that shows. @returns its id */
  async addRule(
    { sceneId }: Camera,
    { metric = 'totalPresent', operator = 'GTE', threshold = 0, cooldownMinutes = 1 } = {},
  ): Promise<string> {
    const conditions = [{ metricPath: `current.${metric}`, operator, threshold }];
    const name = `${metric} ${operator} ${threshold} ${this.operations.length}`;
    const rule = { name, sceneId, severity: 'warning', conditions, cooldownMinutes };
    return (await this.client.post<{ id: string }>('/alerts/rules', rule)).id;
  }

  /** Starts the analysis of a camera. @returns the run's id */
  async start({ deviceId, sceneId }: Camera, client = this.client): Promise<string> {
    const path = `/devices/${deviceId}/analysis/start`;
    const { analysisId: taskId } = await client.post<{ analysisId: string }>(path, { sceneId });
    this.note(`run ${taskId} started`);
    return taskId;
  }

  async stop({ deviceId }: Camera, client = this.client): Promise<void> {
    await client.post(`/devices/${deviceId}/analysis/stop`, {});
    this.note(`runs of ${deviceId} stopped`);
  }

  /**
   * Adds simulated shops and starts their analysis, without waiting for frames.
   * @param name of the cameras, which are numbered from 1
   * @param fps frames a second of each
   * @param startSeconds the time of the simulated day at which they start; people queue from 120 on
   */
  async startShops(
    name: string,
    { scenes, fps, startSeconds = 120 }: { scenes: number; fps: number; startSeconds?: number },
    client = this.client,
  ): Promise<StartedCameras> {
    const cameras: Camera[] = [];
    for (let number = 1; number <= scenes; number++) {
      const url = `sim:shop?seed=${number}&start=${startSeconds}`;
      cameras.push(await this.addCamera(`${name} ${number}`, url, fps, client));
    }
    const taskIds: string[] = [];
    for (const camera of cameras) taskIds.push(await this.start(camera, client));
    return { cameras, taskIds };
  }

  /** Waits until every run has a frame newer than `sinceMs` in the database. @returns how long it took, in seconds */
  untilFrames(taskIds: readonly string[], sinceMs: number, seconds: number): Promise<number> {
    const haveFrames = async () => (await this.runsWithFrames(taskIds, sinceMs)) === taskIds.length;
    return this.until('frames of every run are stored', haveFrames, seconds);
  }

  /** How many of these runs have a frame newer than `sinceMs` in the database. */
  async runsWithFrames(taskIds: readonly string[], sinceMs: number): Promise<number> {
    const rows = await this.query(
      'SELECT 1 FROM "AnalysisTask" WHERE id = ANY($1) AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
      [taskIds, sinceMs],
    );
    return rows.length;
  }

  untilReady(): Promise<number> {
    const url = `${this.baseUrl}/readyz`;
    const isReady = async () => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
    return this.until('the API is ready', isReady, 60);
  }

  untilNodes(count: number): Promise<number> {
    return this.until('the workers are ready', async () => (await this.liveNodes()) >= count, 120);
  }

  note(what: string): void {
    this.operations.push({ at: new Date().toISOString(), what });
  }

  /**
   * Checks every 100 ms until something holds; a check that fails counts as false.
   * @returns how long it took, in seconds
   * @throws Error naming `what`, with the last lines of the programs
   */
  until(what: string, holds: () => Promise<boolean>, seconds: number): Promise<number> {
    return until(what, () => holds().catch(() => false), seconds, 100).catch((error: Error) => {
      const logs = [this.api, ...this.workers].map((program) => lastLines(program, 3)).join('\n');
      throw new Error(`${error.message} The last lines:\n${logs}`);
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((program) => program.stop()));
    await this.#cluster.stop();
    if (!process.env.CHAOS_KEEP) await rm(this.folder, { recursive: true, force: true });
  }
}
