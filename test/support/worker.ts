import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDescribing } from '../../src/insights/start-describing.ts';
import { openQueue } from '../../src/jobs.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { openChat } from '../../src/platform/chat/chat-client.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Config, loadConfig, MODELS_DIR } from '../../src/platform/config.ts';
import type { Context } from '../../src/platform/context.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type RunningWorker, startWorker } from '../../src/runs/node/start-worker.ts';
import type { TestDatabase } from './database.ts';
import { FFMPEG_PATHS } from './ffmpeg.ts';
import { stillPerson } from './networks/still-person.ts';
import { testSealer } from './rows/runs.ts';
import { testShared } from './shared.ts';

export interface TestWorker extends Omit<RunningWorker, 'ready'> {
  readonly config: Config;
}

/** What finds the people of the simulated shop, for tests that are about them; it costs a core a tenth of its time. */
export const REAL_DETECTOR = { model: DEFAULT_MODEL, modelsDir: MODELS_DIR };

/**
 * A worker in this process with one real lane, its folder temporary. Its detector finds a still person in every picture,
 * where `changes` do not say otherwise.
 */
export async function startTestWorker(
  database: TestDatabase,
  changes: Partial<Config> = {},
): Promise<TestWorker> {
  const dataDir = await mkdtemp(join(tmpdir(), 'worker-test-'));
  const config: Config = {
    ...loadConfig({ DATABASE_URL: database.url }),
    ...FFMPEG_PATHS,
    dataDir,
    lanes: 1,
    // No test depends on this processor, and none asks ffmpeg for each kind of hardware.
    ...(await stillPerson(join(dataDir, 'cards'))),
    attributeModels: [],
    executionProvider: 'cpu',
    hwaccel: 'none',
    maxConcurrentDevices: 4,
    logLevel: 'silent',
    ...changes,
  };
  const context: Context = {
    config,
    db: database.db,
    logger: createLogger({ level: config.logLevel, program: 'worker' }),
    clock: systemClock,
    sealer: testSealer,
    images: new LocalImages(database.imagesDir),
    chat: openChat(config, systemClock),
    shared: testShared(config),
    urlSigningKey: 'a key for tests that is long enough',
  };
  const queue = openQueue(context);
  const worker = await startWorker(context, {
    queue,
    signal: new AbortController().signal,
    onReplaced: () => undefined,
  });
  const describing = startDescribing(context, queue);
  if (!worker) throw new Error('The worker was not started.');
  return {
    config,
    get lanePids() {
      return worker.lanePids;
    },
    async stop() {
      await worker.stop();
      await describing.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
