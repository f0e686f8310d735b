import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { EXPLAINED, explain } from './http/explain/explain.ts';
import { isNetwork } from './platform/network/network-policy.ts';

/** The project's folder, wherever it is started from; the build lies one folder deeper than the source. */
const PROJECT = resolve(
  import.meta.dirname,
  existsSync(resolve(import.meta.dirname, '../package.json')) ? '..' : '../..',
);

/** Of package.json. */
export const VERSION = (
  JSON.parse(readFileSync(resolve(PROJECT, 'package.json'), 'utf8')) as { version: string }
).version;

/** The model cards. */
export const MODELS_DIR = resolve(PROJECT, 'models');
/** The migrations that the database must have. */
export const MIGRATIONS_DIR = resolve(PROJECT, 'prisma/migrations');

const number = (defaultValue: number, min: number, max: number) =>
  z.coerce.number().min(min).max(max).default(defaultValue);
const count = (defaultValue: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(defaultValue);
const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));
const folder = z.string().transform((path) => resolve(PROJECT, path));
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must look like postgresql://user:password@host:5432/database');
/** `id:key,…`, keys of 32 bytes in base64. */
const encryptionKeys = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const [, id, encoded] = /^\s*([A-Za-z0-9]{1,16}):(\S+)\s*$/.exec(part) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || key.length !== 32) {
      context.addIssue({
        code: 'custom',
        message: 'must be id:key,… with keys of 32 bytes in base64 (`openssl rand -base64 32`)',
      });
    }
    return { id: id ?? '', key };
  }),
);

/** Every variable the programs and tools read: type, default and, for the README, meaning. */
const SCHEMA = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('`production` wants every secret given; otherwise they are made in DATA_DIR'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least severe line that is logged'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe('PostgreSQL, through a pooler if you have one; `npm run db` starts one and prints it'),
  DIRECT_DATABASE_URL: postgresUrl
    .optional()
    .describe('PostgreSQL without a pooler, for LISTEN and migrations; DATABASE_URL where not given'),
  DATABASE_POOL_SIZE: count(10, 1, 200).describe(
    'connections each process opens at most for its queries; the job queue and notifications take up to 7 more',
  ),

  HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  PORT: count(8080, 0, 65_535).describe('port the API listens on; 0 takes a free one'),
  METRICS_PORT: count(0, 0, 65_535)
    .unwrap()
    .optional()
    .describe('port of Prometheus’ /metrics, of the API and of a worker alike; none by default'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('address /metrics is served on, without a key'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address clients use for the API; http://HOST:PORT where not given; wanted in production'),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text === 'true' ? true : text))
    .transform((value) => (value === 'false' ? false : value))
    .describe('whose X-Forwarded-For is believed: false, a number of hops, or addresses'),
  CORS_ORIGINS: list.describe('origins whose pages may call the API, separated by commas; none by default'),
  RATE_LIMIT_PER_MINUTE: count(600, 1, 1_000_000_000).describe('requests a minute per API key'),
  USER_RATE_LIMIT_PER_MINUTE: count(1, 1, 1_000_000_000)
    .unwrap()
    .optional()
    .describe('requests a minute per user, over all keys; five times RATE_LIMIT_PER_MINUTE where not given'),
  SEARCH_RATE_LIMIT_PER_MINUTE: count(10, 1, 1_000_000_000).describe(
    'searches a minute per user, counted over all keys and all API processes',
  ),
  KEYLESS_RATE_LIMIT_PER_MINUTE: count(120, 1, 1_000_000_000).describe(
    'requests a minute per address to what needs no key: /docs, /openapi.json, /readyz, unknown paths',
  ),
  AUTH_FAILURES_PER_MINUTE: count(60, 1, 1_000_000_000).describe(
    'failed authentications a minute per address before they are answered 429',
  ),
  REQUEST_TIMEOUT_SECONDS: number(30, 1, 600).describe('seconds after which a request is answered 503'),
  SHUTDOWN_SECONDS: number(10, 0, 600).describe('seconds running requests get to finish at SIGTERM'),
  API_JOBS: z
    .stringbool()
    .default(true)
    .describe(
      'whether the API also does the background work that needs no camera: webhook deliveries, insights, schedules, month change, retention; `false` leaves it to the workers',
    ),
  API_JOBS_POOL_SIZE: count(5, 2, 200).describe(
    'connections the background work of an API or worker opens at most, beside DATABASE_POOL_SIZE, so that it takes none from requests and runs',
  ),
  MAX_KEYS_PER_USER: count(100, 1, 1_000_000).describe('API keys that a user may have at once'),
  MAX_DEVICES_PER_USER: count(1_000, 1, 1_000_000).describe('devices that a user may have'),
  MAX_SCENES_PER_USER: count(2_000, 1, 1_000_000).describe('scenes that a user may have'),
  MAX_RULES_PER_USER: count(5_000, 1, 1_000_000).describe('alert rules that a user may have'),
  MAX_IDEMPOTENCY_KEYS_PER_USER: count(10_000, 1, 1_000_000).describe(
    'Idempotency-Keys of a user that are kept, each for a day; beyond it calls with a new one are answered 429',
  ),
  ENCRYPTION_KEYS: encryptionKeys
    .optional()
    .describe('keys that seal stream addresses and secrets, id:key,…: the first seals, all open'),
  URL_SIGNING_KEY: z
    .string()
    .min(32)
    .optional()
    .describe('secret that signs image addresses, 32+ characters'),

  DATA_DIR: folder
    .default(resolve(PROJECT, '.data'))
    .describe('folder of everything the service writes beside the database'),
  S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('bucket for images, its own; the folder images in DATA_DIR where not given'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('region of the bucket'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address of an S3-compatible service; Amazon’s where not given'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('access key of the bucket; what AWS finds by itself (profile, role) where not given'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('secret of S3_ACCESS_KEY_ID'),
  IMAGE_RETENTION_DAYS: count(30, 1, 3650).describe('days images are kept'),

  ALERT_PICTURE_WAIT_SECONDS: number(5, 0, 30).describe(
    'seconds an alert waits for its picture before it is told without; a later one is added to alert and insight',
  ),
  VLM_PROVIDER: z
    .enum(['rules', 'openai'])
    .default('rules')
    .describe('who writes insights: the embedded `rules`, or a model behind an OpenAI-compatible server'),
  VLM_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('base address of that server, e.g. http://gpu.local:8000/v1'),
  VLM_MODEL: z.string().min(1).max(200).optional().describe('model it is asked for'),
  VLM_API_KEY: z.string().min(1).optional().describe('key of that server, where it wants one'),
  VLM_TIMEOUT_SECONDS: number(60, 1, 600).describe('seconds an answer may take'),
  VLM_MAX_OUTPUT_TOKENS: count(700, 100, 8000).describe('tokens an answer may have'),
  VLM_CONCURRENCY: count(4, 1, 64).describe('insights written at the same time, over all workers and APIs'),
  VLM_USER_CONCURRENCY: count(2, 1, 64).describe('of them of one user'),
  SEARCH_PROVIDER: z
    .enum(['rules', 'openai'])
    .default('rules')
    .describe(
      'who understands searches: the built-in parser, `rules`, or VLM_MODEL at VLM_URL, with the parser where that fails',
    ),

  MODEL: z
    .string()
    .optional()
    .describe('detector, a name of `npm run models -- list`; the embedded one by default'),
  MODEL_CACHE_DIR: folder
    .optional()
    .describe('folder where converted and fetched models are kept; `models` in DATA_DIR where not given'),
  ATTRIBUTE_MODELS: z
    .string()
    .default('embedded')
    .transform((text) => text.split(/[\s,]+/).filter((name) => name !== '' && name !== 'none'))
    .describe(
      'models of pedestrian attributes (LEVEL_02), separated by commas: the first that knows a key owns it; `none` computes none',
    ),
  EXECUTION_PROVIDER: z.enum(['cpu', 'cuda']).default('cpu').describe('where the detector runs'),
  DETECTOR_THREADS: count(1, 1, 64).describe('threads of one lane’s detector'),
  FFMPEG_PATH: z.string().optional().describe('ffmpeg; the one on PATH, else the one from npm'),
  FFPROBE_PATH: z.string().optional().describe('ffprobe; the one on PATH, else the one from npm'),
  ALLOW_OLD_FFMPEG: z
    .stringbool()
    .default(false)
    .describe(
      'whether in production an ffmpeg older than release 5, such as the one from npm, may read network streams: hostile video meets an old decoder then',
    ),
  ALLOW_RESEARCH_MODELS: z
    .stringbool()
    .default(false)
    .describe('whether production may use models whose card says that they are for research only'),
  MEDIA_ROOT: folder.optional().describe('folder whose files may be devices (file:…); none by default'),
  STREAM_NETWORKS: list
    .pipe(
      z.array(
        z.string().refine(isNetwork, 'must be public, private, multicast, none or networks like 10.1.0.0/16'),
      ),
    )
    .prefault('public,private')
    .describe(
      'where streams may lead, after names are looked up, of users without networks of their own (`admin -- set-networks`): public, private, multicast (groups that RTSP cameras send to), none, networks like 10.1.0.0/16. Never to the database, S3 or the language model',
    ),
  STREAM_ALLOW_HOSTS: list.describe(
    'hosts allowed as stream addresses although they are loopback, link-local or metadata addresses',
  ),
  WEBHOOK_ALLOW_HOSTS: list.describe(
    'hosts allowed as webhook addresses although they are not of the public internet; https all the same',
  ),
  WEBHOOK_CA_FILE: folder
    .optional()
    .describe('certificates, PEM, that webhook receivers may have beside those of public authorities'),
  STREAM_WATCHDOG_SECONDS: number(20, 1, 600).describe(
    'seconds without a frame after which a stream is restarted',
  ),

  NODE_NAME: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('name of this compute node; the host’s name by default'),
  MAX_CONCURRENT_DEVICES: count(1, 1, 10_000)
    .unwrap()
    .optional()
    .describe(
      'cameras this node takes at once; where not given it is measured at the start, while the node is idle and after its load changed',
    ),
  LANES: count(1, 1, 64)
    .unwrap()
    .optional()
    .describe('detector processes of this node; one core less than there are where not given'),
  MIN_ANALYSIS_FPS: number(2, 1, 30).describe(
    'frames a second of each camera, or `analysisFps` where that is less, below which an overloaded lane leaves none out by itself; 30 lets it leave out none at all',
  ),
  LANE_SILENCE_SECONDS: number(10, 1, 600).describe(
    'seconds without a sign of life after which a lane is ended and replaced',
  ),
  LEASE_SECONDS: number(15, 1, 600).describe('seconds a node holds a run without renewing it'),
  RENEW_SECONDS: number(5, 0.2, 300).describe('seconds between renewals, well below LEASE_SECONDS'),
  SNAPSHOT_RETENTION_DAYS: count(30, 1, 3650).describe('days snapshots are kept'),
  ROLLING_RETENTION_DAYS: count(35, 1, 3650).describe('days rolling records are kept'),
  ATTRIBUTE_RETENTION_DAYS: count(90, 1, 3650).describe(
    'days attribute records are kept; their hourly sums stay',
  ),
});

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type Variables = z.output<typeof SCHEMA> & { readonly MODEL_CACHE_DIR: string };

/** The variables by camelCase names: `RENEW_SECONDS` is `renewSeconds`. Folders are absolute paths. */
export type Config = {
  readonly [Name in keyof Variables as Camel<Name & string>]: Variables[Name];
};

const camel = (name: string) =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Reads and checks the environment; an empty variable counts as not given.
 * @throws Error naming every fault at once
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(SCHEMA.shape)
      .map((name) => [name, environment[name]?.trim()])
      .filter(([, value]) => value),
  );
  const result = SCHEMA.safeParse(given, EXPLAINED);
  const faults = result.success
    ? missingTogether(result.data)
    : explain(result.error.issues, { input: given }).map(({ path, message }) => `${path}: ${message}`);
  if (faults.length > 0) {
    throw new Error(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
  const { DATA_DIR, MODEL_CACHE_DIR = resolve(DATA_DIR, 'models') } = result.data!;
  const variables: Variables = { ...result.data!, MODEL_CACHE_DIR };
  const values = Object.entries(variables).map(([name, value]) => [camel(name), value]);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

/** Faults that only several variables together show. */
function missingTogether(variables: z.output<typeof SCHEMA>): string[] {
  const faults: string[] = [];
  if (variables.RENEW_SECONDS * 2 > variables.LEASE_SECONDS) {
    faults.push(
      'RENEW_SECONDS: must be at most half of LEASE_SECONDS, so that one lost renewal loses no run',
    );
  }
  if (!variables.S3_ACCESS_KEY_ID !== !variables.S3_SECRET_ACCESS_KEY) {
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: give both or neither');
  }
  if (variables.S3_ENDPOINT && !variables.S3_BUCKET) {
    faults.push('S3_BUCKET: is required beside S3_ENDPOINT');
  }
  for (const provider of ['VLM_PROVIDER', 'SEARCH_PROVIDER'] as const) {
    for (const name of ['VLM_URL', 'VLM_MODEL'] as const) {
      if (variables[provider] !== 'openai' || variables[name] !== undefined) continue;
      faults.push(`${name}: is required with ${provider}=openai`);
    }
  }
  if (variables.NODE_ENV === 'production') {
    for (const name of ['PUBLIC_URL', 'ENCRYPTION_KEYS', 'URL_SIGNING_KEY'] as const) {
      if (variables[name] === undefined)
        faults.push(`${name}: is required in production, the same everywhere`);
    }
  }
  return faults;
}

/** @throws Error that says how to get a database */
export function requireDatabaseUrl(config: Config): string {
  if (config.databaseUrl) return config.databaseUrl;
  throw new Error(
    'DATABASE_URL is not set. `npm run db` starts a PostgreSQL for development and prints the line to use.',
  );
}

/** The README's table: name, default (empty where there is none) and meaning of every variable. */
export function describeConfig(): { name: string; defaultValue: string; meaning: string }[] {
  return Object.entries(SCHEMA.shape).map(([name, schema]) => ({
    name,
    defaultValue: shownDefault(schema),
    meaning: schema.description ?? '',
  }));
}

function shownDefault(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  const value: unknown = parsed.success ? parsed.data : undefined;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return String(value).replace(`${PROJECT}/`, '');
}
