import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InferenceSession } from 'onnxruntime-node';
import { readDetectorCard } from '../../src/models/cards.ts';
import { cardAt, type DetectorCard } from '../../src/models/detector-card.ts';
import { DetectorNetwork, type NetworkFrame } from '../../src/models/detector-network.ts';
import { type OpenSession, openSession } from '../../src/models/open-session.ts';
import { readyModel } from '../../src/models/ready-models.ts';
import { loadConfig, MODELS_DIR } from '../../src/platform/config.ts';

const SIZE = { width: 256, height: 192 };
const FRAME = { width: 320, height: 240 };
const MIN_SCORE = 0.02;

let card: DetectorCard;
let session: OpenSession['session'];
/** Frames of each run. */
let runs: number[];
/** The next run fails. */
let fails = false;

beforeAll(async () => {
  card = cardAt(await readDetectorCard(MODELS_DIR, 'nanodet-g'), SIZE);
  const place = { modelsDir: MODELS_DIR, cacheDir: loadConfig({}).modelCacheDir };
  const opened = await openSession(card.name, await readyModel(card, place), {});
  const run = async (...[feeds, fetches]: Parameters<InferenceSession['run']>) => {
    runs.push(feeds.image!.dims[0]!);
    if (!fails) return opened.session.run(feeds, fetches);
    fails = false;
    throw new Error('device lost');
  };
  session = { run: run as InferenceSession['run'], release: () => opened.session.release() };
});
afterAll(() => session.release());

const networkOf = (batchSize: number) => new DetectorNetwork({ card, session, batchSize, scores: {} });

/** Bars at another place in each picture; every second frame is larger than the network, which sees a part of it. */
function frameOf(at: number): NetworkFrame {
  const isPart = at % 2 === 1;
  const { width, height } = isPart ? FRAME : SIZE;
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, byte) => {
    const x = Math.floor(byte / 3) % width;
    return Math.abs(x - 40 - 25 * at) < 18 ? 30 + 40 * (byte % 3) : (x * (at + 1)) % 200;
  });
  const letterbox = { inputWidth: width, inputHeight: height, contentWidth: width, contentHeight: height };
  return { pixels, letterbox, window: { ...SIZE, x: isPart ? 32 : 0, y: isPart ? 16 : 0 } };
}

const frames = Array.from({ length: 5 }, (_, at) => frameOf(at));

describe('frames that come together', () => {
  test('are detected in one run as if each came alone', async () => {
    runs = [];
    const single = networkOf(1);
    const alone = [];
    for (const frame of frames) alone.push(await single.detect(frame, MIN_SCORE));
    expect(runs).toEqual([1, 1, 1, 1, 1]);
    for (const found of alone) expect(found.length).toBeGreaterThan(0);
    expect(new Set(alone.map((found) => JSON.stringify(found))).size).toBe(frames.length);

    runs = [];
    const batches = networkOf(4);
    const together = await Promise.all(frames.map((frame) => batches.detect(frame, MIN_SCORE)));
    expect(runs).toEqual([4, 1]);
    expect(together).toEqual(alone);
  });

  test('share a failure with nobody of the next run', async () => {
    runs = [];
    fails = true;
    const batches = networkOf(2);
    const settled = await Promise.allSettled(
      frames.slice(0, 4).map((frame) => batches.detect(frame, MIN_SCORE)),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
    expect(runs).toEqual([2, 2]);
  });

  test('are all answered before the session is released', async () => {
    runs = [];
    let isReleased = false;
    const batches = new DetectorNetwork({
      ...{ card, batchSize: 2, scores: {} },
      session: {
        run: session.run,
        release: async () => {
          isReleased = true;
        },
      },
    });
    const answers = frames.map(async (frame) => {
      await batches.detect(frame, MIN_SCORE);
      return isReleased;
    });
    await batches.release();
    expect(isReleased).toBe(true);
    expect(await Promise.all(answers)).toEqual(frames.map(() => false));
  });
});
