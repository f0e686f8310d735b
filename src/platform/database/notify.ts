import pg from 'pg';
import { impatientSocket, SILENCE_MS } from './impatient-socket.ts';
import { KEEPALIVE_SETTINGS } from './limited-client.ts';

/** The channels of NOTIFY. A notification only says "read again"; the data is in the tables. */
export const CHANNELS = {
  /** A run was queued, must stop, or its scene changed. Payload: the device's id. */
  runs: 'analysis_runs',
  /** Rules of a scene have changed. Payload: the scene's id. */
  rules: 'alert_rules',
  /** A client requested an image of a device. Payload: the device's id. */
  frames: 'frame_requests',
  /** A client requested a search for cameras. Payload: the request's id. */
  discoveries: 'discovery_requests',
  /** An API process wants live pictures of a device, or no longer wants them. Payload: the device's id. */
  liveWishes: 'live_wishes',
  /** There is a new live picture of a device. Payload: the device's id. */
  livePictures: 'live_pictures',
  /** An event was committed; a trigger of the table sends this. Payload: the user's id. */
  events: 'events',
  /** Scenes have new current metrics. Payload: the ids of their users, separated by commas. */
  metrics: 'scene_metrics',
  /** An insight is new or has changed. Payload: the user's id, a comma, the insight's id. */
  insights: 'insights',
} as const;

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

/** A Prisma client or its transaction. */
interface RawDatabase {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
}

/** Sends a notification. Inside a transaction PostgreSQL delivers it at commit and drops it at a rollback. */
export async function notify(db: RawDatabase, channel: Channel, payload: string): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
}

export interface ListenOptions {
  /** DIRECT_DATABASE_URL, because LISTEN does not work through a transaction pooler. */
  readonly databaseUrl: string;
  readonly channels: readonly Channel[];
  readonly onNotify: (channel: Channel, payload: string) => void;
  /** Called after each connect. The caller reads its tables again, because notifications may have been missed. */
  readonly onConnect: () => void;
  /** Called once for each loss of the connection. */
  readonly onLost?: (error: Error) => void;
}

export interface Listener {
  close(): Promise<void>;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
const CONNECT_MS = 5_000;
/** A listener only waits, so it asks the server at this interval whether the connection still works. */
const ASK_MS = 5_000;

/** Listens until closed. It opens a lost connection again with backoff (0.5-5 s), without end. */
export function listen(options: ListenOptions): Listener {
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = MIN_PAUSE_MS;

  const again = () => {
    if (closed) return;
    timer = setTimeout(() => void connect(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  };

  async function connect(): Promise<void> {
    const mine = new pg.Client({
      connectionString: options.databaseUrl,
      connectionTimeoutMillis: CONNECT_MS,
      stream: () => impatientSocket(SILENCE_MS),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let lost = false;
    let asking: NodeJS.Timeout | undefined;
    const lose = (error: Error) => {
      if (lost) return;
      lost = true;
      clearInterval(asking);
      if (client === mine) client = null;
      if (!closed) options.onLost?.(error);
      mine.end().catch(() => undefined);
      again();
    };
    mine.on('error', lose);
    mine.on('end', () => lose(new Error('The database ended the connection.')));
    mine.on('notification', ({ channel, payload }) => options.onNotify(channel as Channel, payload ?? ''));
    client = mine;
    try {
      await mine.connect();
      await mine.query(KEEPALIVE_SETTINGS).catch(() => undefined);
      for (const channel of options.channels) await mine.query(`LISTEN ${channel}`);
      pauseMs = MIN_PAUSE_MS;
      if (!lost) asking = setInterval(() => void mine.query('SELECT 1').catch(lose), ASK_MS);
      if (!closed) options.onConnect();
    } catch (error) {
      lose(error as Error);
    }
  }

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
