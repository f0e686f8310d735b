import { randomUUID } from 'node:crypto';
import { checkKnownStorage } from '../../src/images/check-storage.ts';
import { DEFAULT_MODEL, readCard } from '../../src/models/cards.ts';
import { measureInProcess } from '../../src/models/choice/measuring-process.ts';
import { networksOf } from '../../src/models/load-attribute-models.ts';
import { type Config, loadConfig, misspelt, requireDatabaseUrl } from '../../src/platform/config.ts';
import { checkDatabase, describeDatabaseError } from '../../src/platform/database/database-check.ts';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { openImages } from '../../src/platform/images/open-images.ts';
import { openMailer } from '../../src/platform/mail/mailer.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { verifyModel } from '../models/status.ts';

export interface Finding {
  readonly part: string;
  /** `off`: not configured, and not needed. */
  readonly state: 'right' | 'off' | 'wrong';
  /** What was found; where something is wrong, what to do. */
  readonly message: string;
}

/** Without a tick: it is not configured or not there, and nothing needs it. */
class Off extends Error {}

const ANSWER_MS = 15_000;

/** Looks at everything that the programs need. Whatever fails becomes a finding, so that all of them are told at once. */
export async function findFaults(environment?: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings: Finding[] = [];
  const look = async (part: string, check: () => Promise<string> | string) => {
    try {
      findings.push({ part, state: 'right', message: await check() });
    } catch (error) {
      const state = error instanceof Off ? 'off' : 'wrong';
      findings.push({ part, state, message: (error as Error).message });
    }
  };
  let config: Config | undefined;
  await look('settings', () => {
    config = loadConfig(environment, { program: true });
    const unread = misspelt(environment);
    if (unread.length > 0) throw new Error(unread.join(' '));
    return 'all of them can be used';
  });
  // Nothing else can be looked at without them.
  if (!config) return findings;
  const known = config;
  const db = createDb(requireDatabaseUrl(known), { maxConnections: 1, waitMs: ANSWER_MS });
  try {
    await look('database', () => findDatabase(db, known));
    await look('migrations', async () => {
      return (await checkDatabase(db, requireDatabaseUrl(known))) ?? 'all of them are applied';
    });
    await look('storage', () => useStorage(db, known));
  } finally {
    await db.$disconnect();
  }
  await look('ffmpeg', () => findPrograms(known));
  await look('models', () => checkModels(known));
  await look('GPU', () => openGpu(known));
  await look('language model', () => askServer(known));
  await look('mail server', () => logIn(known));
  return findings;
}

async function findDatabase(db: Db, config: Config): Promise<string> {
  try {
    const [row] = await db.$queryRaw<{ version: string }[]>`SHOW server_version`;
    const version = Object.values(row!)[0]!;
    if (Number.parseInt(version, 10) < 15)
      throw new Error(`PostgreSQL ${version} is too old: install 15 or newer.`);
    return `PostgreSQL ${version}`;
  } catch (error) {
    throw describeDatabaseError(error, requireDatabaseUrl(config));
  }
}

/** Stores an image, reads it and removes it. */
async function useStorage(db: Db, config: Config): Promise<string> {
  const images = openImages(config);
  const key = newImageKey(new Date(), randomUUID());
  const bytes = Buffer.from('doctor');
  try {
    await images.put(key, bytes);
    const read = await images.get(key);
    if (!read?.equals(bytes)) throw new Error('what was stored is not there');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `${images.place} cannot be used (${code ?? message}): make it writable for this account, or correct DATA_DIR or the S3 settings.`,
    );
  } finally {
    await images.remove([key]).catch(() => undefined);
  }
  await checkKnownStorage({ db, images });
  return `${images.place} can be written and read`;
}

async function findPrograms({ ffmpegPath, ffprobePath }: Config): Promise<string> {
  const warnings: string[] = [];
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath, onWarning: (text) => warnings.push(text) });
  if (warnings.length > 0) throw new Error(warnings.join(' '));
  return `${ffmpeg.version} (${ffmpeg.path})`;
}

async function checkModels(config: Config): Promise<string> {
  const { model = DEFAULT_MODEL, modelsDir, modelCacheDir: cacheDir, attributeModels } = config;
  const names = [model, ...networksOf(attributeModels)];
  const checked = await Promise.all(
    names.map(async (name) => verifyModel(await readCard(modelsDir, name), { modelsDir, cacheDir })),
  );
  const wrong = checked.filter(({ state }) => state !== 'right');
  if (wrong.length > 0) throw new Error(wrong.map(({ name, message }) => `${name}: ${message}`).join(' '));
  return `${names.join(', ')}: every byte is right`;
}

/** Opens the GPU, and measures nothing. */
async function openGpu(config: Config): Promise<string> {
  const { executionProvider: wanted, modelsDir, modelCacheDir: cacheDir } = config;
  if (wanted === 'cpu') throw new Off('EXECUTION_PROVIDER=cpu uses none');
  const executionProvider = wanted === 'auto' ? 'webgpu' : wanted;
  const request = { executionProvider, detectors: [], cropNetworks: [], modelsDir, cacheDir, threads: 1 };
  const opened = await measureInProcess(request);
  if (!('reason' in opened))
    return `${opened.adapter ?? 'the GPU of the system'} works with ${executionProvider}`;
  const sentence = `none can be used (${opened.reason}), so the processor detects`;
  throw wanted === 'auto'
    ? new Off(sentence)
    : new Error(`${sentence}: install its driver, or set EXECUTION_PROVIDER=auto.`);
}

/** Asks for the list of models, which costs no tokens. */
async function askServer({ vlmUrl, vlmApiKey }: Config): Promise<string> {
  if (!vlmUrl) throw new Off('none is configured (VLM_URL); built-in rules write the insights');
  const headers = vlmApiKey ? { authorization: `Bearer ${vlmApiKey}` } : {};
  let status: number;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${vlmUrl.replace(/\/$/, '')}/models`, {
      headers,
      signal,
      redirect: 'manual',
    });
    await answer.body?.cancel();
    status = answer.status;
  } catch {
    throw new Error(`${vlmUrl} does not answer: start the server, or correct VLM_URL.`);
  }
  if (status === 401 || status === 403) throw new Error(`${vlmUrl} refuses the key: correct VLM_API_KEY.`);
  if (status >= 500) throw new Error(`${vlmUrl} answers ${status}: look at the log of that server.`);
  return `${vlmUrl} answers; \`npm run vlm -- check\` asks it about an image`;
}

async function logIn(config: Config): Promise<string> {
  const mailer = openMailer({ config });
  if (!mailer) throw new Off('none is configured (SMTP_URL); there are no e-mails');
  try {
    await mailer.check();
  } catch (error) {
    throw new Error(
      `${(error as Error).message} Correct SMTP_URL, or SMTP_CA_FILE for an authority of your own.`,
    );
  }
  return `it accepts the connection${config.smtpUrl?.login ? ' and the login' : ''}`;
}
