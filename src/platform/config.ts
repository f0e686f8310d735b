import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { CHAT_VARIABLES } from './chat/chat-variables.ts';
import { DATABASE_VARIABLES } from './database/database-variables.ts';
import { misspeltVariables, readEnvironment } from './environment.ts';
import { explain, explained } from './explain/explain.ts';
import { LIMIT_VARIABLES } from './limit-variables.ts';
import { MAIL_VARIABLES } from './mail/mail-variables.ts';
import { MQTT_VARIABLES } from './mqtt-variables.ts';
import { isNetwork } from './network/network-policy.ts';
import { PROJECT } from './project.ts';
import { RETENTION_VARIABLES, retentionFaults } from './retention-variables.ts';
import { count, encryptionKeys, folderIn, list, number } from './settings.ts';
import { TRACING_VARIABLES } from './tracing/tracing-variables.ts';
import { VIDEO_VARIABLES } from './video-variables.ts';

/** The version in package.json. */
export const VERSION = (
  JSON.parse(readFileSync(resolve(PROJECT, 'package.json'), 'utf8')) as { version: string }
).version;

/** Folder of the model cards of this project. */
export const MODELS_DIR = resolve(PROJECT, 'models');
/** Folder of the migrations that the database must have. */
export const MIGRATIONS_DIR = resolve(PROJECT, 'prisma/migrations');

/** A path; a relative one begins in the folder of the project. */
const folder = folderIn(PROJECT);

/** Every environment variable of the programs and commands: type, default and meaning (for `configuration.md`). */
const SCHEMA = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe(
      '`production` requires every secret; otherwise the programs create missing secrets in DATA_DIR',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('lowest level that is logged'),
  ...DATABASE_VARIABLES,

  HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  PORT: count(8080, 0, 65_535).describe('port the API listens on; 0 chooses a free port'),
  METRICS_PORT: count(0, 0, 65_535)
    .unwrap()
    .optional()
    .describe(
      'port where the API or a worker serves /metrics for Prometheus, /healthz and /readyz; none by default',
    ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address where METRICS_PORT is served; it needs no key'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address that clients use for the API; http://HOST:PORT by default, required in production'),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text === 'true' ? true : text))
    .transform((value) => (value === 'false' ? false : value))
    .describe(
      'which proxies may set X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host: false, a number of hops, or addresses; over https session cookies need it or an https PUBLIC_URL',
    ),
  HSTS_SUBDOMAINS: z
    .stringbool()
    .default(false)
    .describe(
      'whether Strict-Transport-Security holds for all hosts below that of the API too: only where all of them speak https',
    ),
  CORS_ORIGINS: list.describe(
    'origins of web pages that may call the API with a key, separated by commas; none by default',
  ),
  RATE_LIMIT_PER_MINUTE: count(600, 1, 1_000_000_000).describe(
    'most requests per minute of an API key or session',
  ),
  USER_RATE_LIMIT_PER_MINUTE: count(1, 1, 1_000_000_000)
    .unwrap()
    .optional()
    .describe(
      'most requests per minute of a user over all keys and sessions; five times RATE_LIMIT_PER_MINUTE by default',
    ),
  SEARCH_RATE_LIMIT_PER_MINUTE: count(10, 1, 1_000_000_000).describe(
    'most searches per minute of a user over all keys, sessions and API processes',
  ),
  PROBE_RATE_LIMIT_PER_MINUTE: count(10, 1, 1_000_000_000).describe(
    'most addresses of camera streams that a user may probe per minute, over all keys and API processes',
  ),
  KEYLESS_RATE_LIMIT_PER_MINUTE: count(120, 1, 1_000_000_000).describe(
    'most requests per minute of a network address to paths that need no key: /docs, /openapi.json, /readyz, unknown paths',
  ),
  AUTH_FAILURES_PER_MINUTE: count(60, 1, 1_000_000_000).describe(
    'failed authentications per minute of a network address before the answer is 429',
  ),
  MAX_LIVE_WATCHERS: count(1_000, 0, 100_000).describe(
    'most open answers of GET /devices/{id}/live of an API process; one more is answered 503',
  ),
  MAX_LIVE_WATCHERS_PER_USER: count(200, 1, 100_000).describe(
    'most of these of one user, over all keys and sessions; one more is answered 429',
  ),
  MAX_EVENT_STREAMS_PER_USER: count(200, 1, 100_000).describe(
    'most open event streams of a user in an API process, over all keys and sessions; one more is answered 429. A key or session may have 50 of them',
  ),
  REQUEST_TIMEOUT_SECONDS: number(30, 1, 600).describe(
    'seconds after which a request that is not answered yet gets 503',
  ),
  UPLOAD_IDLE_SECONDS: number(60, 1, 600).describe(
    'seconds without a byte after which an upload is refused; an upload that goes on has no limit of time',
  ),
  UPLOAD_MIN_BYTES_PER_SECOND: count(1_024, 0, 1_000_000_000).describe(
    'least rate of an upload, on average over UPLOAD_IDLE_SECONDS of waiting for its bytes; a slower one is refused; 0: no limit',
  ),
  SHUTDOWN_SECONDS: number(10, 0, 600).describe('seconds that running requests have to finish after SIGTERM'),
  API_JOBS: z
    .stringbool()
    .default(true)
    .describe(
      'whether the API also runs the background jobs that need no camera: deliveries to webhooks and notification channels, insights, schedules, change of the month, retention; with `false` only the workers run them',
    ),
  API_JOBS_POOL_SIZE: count(5, 2, 200).describe(
    'most connections that the background jobs of an API or worker open, in addition to DATABASE_POOL_SIZE',
  ),
  ...LIMIT_VARIABLES,
  ENCRYPTION_KEYS: encryptionKeys
    .optional()
    .describe(
      'keys that encrypt stream addresses and secrets, id:key,…; the first one encrypts, all of them decrypt',
    ),
  URL_SIGNING_KEY: z
    .string()
    .min(32)
    .optional()
    .describe('secret that signs image addresses, at least 32 characters'),

  DATA_DIR: folder.default(resolve(PROJECT, '.data')).describe('folder of all files that the programs write'),
  S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('S3 bucket for images alone; without it images are files in DATA_DIR/images'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('region of the bucket'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address of an S3-compatible service; Amazon’s by default'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('access key of the bucket; by default the AWS library finds a profile or role'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('secret of S3_ACCESS_KEY_ID'),

  ALERT_PICTURE_WAIT_SECONDS: number(5, 0, 30).describe(
    'seconds that an alert event waits for its image before it is sent without one; a later image is added to the alert event and its insight',
  ),
  ...RETENTION_VARIABLES,
  ...{ ...MAIL_VARIABLES, ...TRACING_VARIABLES },
  ...MQTT_VARIABLES,
  ...CHAT_VARIABLES,

  MODEL: z
    .string()
    .optional()
    .describe(
      'detection model, a name of `npm run models -- list`; by default the fastest of the accurate ones here',
    ),
  MODELS_DIR: folder
    .default(MODELS_DIR)
    .describe(
      'folder of the model cards, and of files that they name; a copy of `models` may have cards of your own',
    ),
  MODEL_CACHE_DIR: folder
    .optional()
    .describe(
      'folder of downloaded models and the files that are made of them; `models` in DATA_DIR by default',
    ),
  ATTRIBUTE_MODELS: z
    .string()
    .default('embedded')
    .transform((text) => text.split(/[\s,]+/).filter((name) => name !== '' && name !== 'none'))
    .describe(
      'models of pedestrian attributes (LEVEL_02), separated by commas; each attribute comes from the first model that has it; `none` switches attributes off',
    ),
  EXECUTION_PROVIDER: z
    .enum(['auto', 'cpu', 'webgpu', 'cuda'])
    .default('auto')
    .describe(
      'what runs detectors and attribute networks: `cpu`, a GPU with `webgpu` (Vulkan, Direct3D 12 or Metal; nothing to install but the driver) or `cuda`; `auto` measures once for each machine and driver and takes the fastest',
    ),
  DETECTOR_THREADS: count(1, 1, 64).describe('threads of the detector in each lane'),
  ...VIDEO_VARIABLES,
  ALLOW_RESEARCH_MODELS: z
    .stringbool()
    .default(false)
    .describe('whether models whose card says that they are for research only may run in production'),
  MEDIA_ROOT: folder.optional().describe('folder whose video files may be devices (file:…); none by default'),
  STREAM_NETWORKS: list
    .pipe(
      z.array(
        z.string().refine(isNetwork, 'must be public, private, multicast, none or networks like 10.1.0.0/16'),
      ),
    )
    .prefault('public,private')
    .describe(
      'networks that camera streams may come from, for users without networks of their own (`admin -- set-networks`): public, private, multicast (groups that RTSP cameras send to), none, networks like 10.1.0.0/16; checked after the name look-up; the database, S3 and the language model are always forbidden',
    ),
  STREAM_ALLOW_HOSTS: list.describe(
    'hosts that are allowed in stream addresses although they are loopback, link-local or metadata addresses',
  ),
  WEBHOOK_ALLOW_HOSTS: list.describe(
    'hosts that are allowed in addresses of webhooks and push services although they are not on the public internet; webhooks to them may use plain http',
  ),
  WEBHOOK_CA_FILE: folder
    .optional()
    .describe(
      'PEM file of certificate authorities that are trusted for webhook receivers and push services in addition to the public ones',
    ),
  STREAM_WATCHDOG_SECONDS: number(20, 1, 600).describe(
    'seconds without a frame after which a camera stream is restarted',
  ),

  NODE_NAME: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'name of this compute node, its identity over restarts: a worker takes the place of the one that had the name before, and refuses to start while that one lives; the host name by default',
    ),
  MAX_CONCURRENT_DEVICES: count(1, 1, 10_000)
    .unwrap()
    .optional()
    .describe(
      'most cameras of this node; by default the node measures how fast it detects and what its cameras cost',
    ),
  MAX_CONCURRENT_RECORDINGS: count(1, 0, 100).describe(
    'most recordings that this node analyses at a time, in places that no camera uses; 0: none',
  ),
  MAX_LIVE_CAMERAS: count(4, 0, 1_000).describe(
    'most cameras of this node whose live pictures follow each other at the wanted rate; of further watched cameras there is a picture every 5 seconds',
  ),
  LANES: count(1, 1, 64)
    .unwrap()
    .optional()
    .describe('lanes (detector processes) of this node; by default one a core, with a GPU at most 4'),
  MIN_ANALYSIS_FPS: number(2, 1, 30).describe(
    'lowest rate, in frames per second of each camera, to which an overloaded lane reduces the analysis by itself; at most the `analysisFps` of the device; 30 switches the reduction off',
  ),
  SKIP_STILL_FRAMES: z
    .stringbool()
    .default(true)
    .describe(
      'whether frames in which nobody is and nothing has changed are skipped: they count as processed, and the detector still looks once a second',
    ),
  HOLD_STILL_PEOPLE: z
    .stringbool()
    .default(false)
    .describe(
      'whether what the detector found of people holds for up to a second while nothing changes near them and around the zones; without SKIP_STILL_FRAMES it looks at every frame',
    ),
  LANE_SILENCE_SECONDS: number(10, 1, 600).describe(
    'seconds without a heartbeat after which a lane is ended and replaced',
  ),
  LEASE_SECONDS: number(15, 1, 600).describe(
    'seconds after which the lease of a run ends unless the node renews it',
  ),
  RENEW_SECONDS: number(5, 0.2, 300).describe('seconds between renewals; at most half of LEASE_SECONDS'),
});

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type Variables = z.output<typeof SCHEMA> & { readonly MODEL_CACHE_DIR: string };

/** The variables by camelCase names: `RENEW_SECONDS` becomes `renewSeconds`. Folders are absolute paths. */
export type Config = {
  readonly [Name in keyof Variables as Camel<Name & string>]: Variables[Name];
};

const camel = (name: string) =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const VARIABLES: readonly string[] = Object.keys(SCHEMA.shape);

/** One sentence for each variable that is not read but almost has the name of one that is. */
export const misspelt = (environment: NodeJS.ProcessEnv = process.env): string[] =>
  misspeltVariables(environment, VARIABLES);

const NO_DATABASE =
  'is not set. `npm run db` starts a PostgreSQL for development and prints the line to use.';

/**
 * Reads and checks the environment. An empty variable counts as not set.
 * @param options further variables, which count instead of those of the environment; `program`: whether a program starts, which needs
 * the database and the files of certificates
 * @throws Error naming every fault at once
 */
export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  { options = {}, program = false }: { options?: NodeJS.ProcessEnv; program?: boolean } = {},
): Config {
  const all = { ...environment, ...options };
  const { given, unreadable, faults: unread } = readEnvironment(all, VARIABLES);
  const result = SCHEMA.safeParse(given, explained());
  const wrong = result.success ? [] : explain(result.error.issues, { input: given });
  const wrongNames = new Set([...wrong.flatMap(({ path }) => path.split('.').slice(0, 1)), ...unreadable]);
  // What the other variables say is checked too, so that nobody finds the next fault at the next start.
  const right = Object.fromEntries(Object.entries(given).filter(([name]) => !wrongNames.has(name)));
  const variables = result.data ?? SCHEMA.parse(right);
  const together = missingTogether(variables);
  if (program) {
    if (!variables.DATABASE_URL) together.push(`DATABASE_URL: ${NO_DATABASE}`);
    together.push(...CERTIFICATES.flatMap((name) => fileFault(name, variables[name])));
  }
  const faults = [
    ...unread,
    ...wrong.map(({ path, message }) => `${path}: ${message}`),
    ...together.filter((fault) => !fault.match(/[A-Z][A-Z0-9_]+/g)?.some((name) => wrongNames.has(name))),
  ];
  if (faults.length > 0) {
    throw new Error(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
  const { DATA_DIR, MODEL_CACHE_DIR = resolve(DATA_DIR, 'models') } = variables;
  const values = Object.entries({ ...variables, MODEL_CACHE_DIR } satisfies Variables);
  return Object.freeze(Object.fromEntries(values.map(([name, value]) => [camel(name), value]))) as Config;
}

const CERTIFICATES = ['SMTP_CA_FILE', 'MQTT_CA_FILE', 'WEBHOOK_CA_FILE'] as const;

function fileFault(name: string, file: string | undefined): string[] {
  try {
    if (file !== undefined) readFileSync(file);
    return [];
  } catch {
    return [`${name}: ${file} cannot be read`];
  }
}

/** Faults of combinations of variables. */
function missingTogether(variables: z.output<typeof SCHEMA>): string[] {
  const faults: string[] = [];
  if (variables.RENEW_SECONDS * 2 > variables.LEASE_SECONDS) {
    faults.push(
      'RENEW_SECONDS: must be at most half of LEASE_SECONDS, so that a run survives one failed renewal',
    );
  }
  if (!variables.S3_ACCESS_KEY_ID !== !variables.S3_SECRET_ACCESS_KEY) {
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: give both or neither');
  }
  if (variables.S3_ENDPOINT && !variables.S3_BUCKET) {
    faults.push('S3_BUCKET: is required beside S3_ENDPOINT');
  }
  faults.push(...retentionFaults(variables));
  if (!variables.SMTP_URL !== !variables.MAIL_FROM) faults.push('SMTP_URL, MAIL_FROM: give both or neither');
  for (const provider of ['VLM_PROVIDER', 'SEARCH_PROVIDER'] as const) {
    for (const name of ['VLM_URL', 'VLM_MODEL'] as const) {
      if (variables[provider] !== 'openai' || variables[name] !== undefined) continue;
      faults.push(`${name}: is required with ${provider}=openai`);
    }
  }
  if (variables.NODE_ENV === 'production') {
    for (const name of ['PUBLIC_URL', 'ENCRYPTION_KEYS', 'URL_SIGNING_KEY'] as const) {
      if (variables[name] === undefined)
        faults.push(`${name}: is required in production, with the same value in every program`);
    }
  }
  return faults;
}

/** @throws Error that says how to get a database */
export function requireDatabaseUrl(config: Config): string {
  if (config.databaseUrl) return config.databaseUrl;
  throw new Error(`DATABASE_URL ${NO_DATABASE}`);
}

/** The address for LISTEN and for the queue, which do not work through a pooler in transaction mode. */
export const requireDirectDatabaseUrl = (config: Config): string =>
  config.directDatabaseUrl ?? requireDatabaseUrl(config);

/** Name, default (empty where there is none) and meaning of every variable. */
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
