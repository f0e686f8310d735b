import { describe, expect, test } from '@jest/globals';
import { Recording } from '../../../src/lanes/host/recording.ts';
import type { RecordedMessage } from '../../../src/lanes/lane-protocol.ts';
import { Turns } from '../../../src/lanes/turns.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { FrameSource } from '../../../src/video/frame-source.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import type { Detection } from '../../../src/vision/types.ts';

const LETTERBOX = { inputWidth: 2, inputHeight: 2, contentWidth: 2, contentHeight: 2 };
const INFO = {
  ...{ width: 2, height: 2, codec: 'none', sourceFps: 5, fps: 5, durationSeconds: null, live: false },
  letterbox: LETTERBOX,
};
/** A frame whose half is bright. */
const BRIGHT = Uint8Array.from([0, 0, 0, 0, 0, 0, 200, 200, 200, 200, 200, 200]);
const BLANK = new Uint8Array(12);
const RECORDED_AT = Date.parse('2024-03-01T09:00:00Z');
const config = sceneConfigSchema.parse({ zones: SHOP_ZONES, parameters: {} });

interface Options {
  /** How many frames the file has, five a second. */
  readonly frames: number;
  readonly isBlank?: (index: number) => boolean;
  /** The frame with which reading fails. */
  readonly failsAt?: number;
  /** What the file says. */
  readonly durationSeconds?: number;
  /** Time of a frame, by its index. */
  readonly timeOf?: (index: number) => number;
  readonly afterMs?: number | null;
  readonly checkpoint?: string | null;
  readonly onDetect?: (recording: Recording, count: number) => void;
  /** What the detector finds. */
  readonly find?: (model: Uint8Array) => Detection[];
}

/** Reads a file to its end. */
function play({
  frames,
  isBlank = () => false,
  failsAt,
  durationSeconds,
  timeOf = (index) => index * 200,
  afterMs = null,
  checkpoint = null,
  onDetect,
  find = () => [],
}: Options) {
  const batches: Omit<RecordedMessage, 'type'>[] = [];
  const said: string[] = [];
  let index = afterMs === null ? 0 : afterMs / 200 + 1;
  let detections = 0;
  let isClosed = false;
  const source: FrameSource = {
    info: INFO,
    stats: { processedFrames: 0, droppedFrames: 0, arrivals: 0, restarts: 0, lastFrameAtMs: null },
    open: async () => ({ ...INFO, ...(durationSeconds !== undefined && { durationSeconds }) }),
    next: async (): Promise<Frame | null> => {
      if (index === failsAt) throw new Error('the file is damaged');
      if (index >= frames || isClosed) return null;
      const model = isBlank(index) ? BLANK : BRIGHT;
      const timeMs = timeOf(index);
      return {
        index: index++,
        timeMs,
        model,
        letterbox: LETTERBOX,
        full: null,
        isDamaged: false,
        keepFull: () => undefined,
      };
    },
    close: async () => {
      isClosed = true;
    },
  };
  const detector: Detector = {
    ...{
      name: 'none',
      executionProvider: 'cpu',
      inputWidth: 2,
      inputHeight: 2,
      sizes: [{ width: 2, height: 2 }],
      prepare: async () => undefined,
    },
    detect: async (model) => {
      onDetect?.(recording, ++detections);
      return find(model);
    },
    dispose: async () => undefined,
  };
  const scene = { sceneId: 's', runId: 'r', config, checkpoint };
  const wanted = {
    deviceId: 'd',
    url: 'u',
    networks: [],
    fps: 5,
    attributes: false,
    privacy: NO_PRIVACY,
    scenes: [scene] as const,
  };
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const recording: Recording = new Recording(
    { ...wanted, recording: { recordedAtMs: RECORDED_AT, videoTrack: 0, afterMs } },
    source,
    {
      ...{ detector, turns: new Turns(), keepsUp: () => true, attributeModels: async () => null },
      onBatch: (batch) => batches.push(batch),
      onRunEnded: (runId, endOfStream, last) => {
        const atMs = last && last.observation.timeMs - RECORDED_AT;
        said.push(`read to ${batches.at(-1)?.positionMs}`);
        said.push(`${runId} ${endOfStream ? 'at its end' : 'ended'} after ${atMs}`);
        end();
      },
      onFailed: (error) => said.push(`failed: ${error.message}`),
      onOpened: () => undefined,
    },
  );
  const times = () =>
    batches.flatMap(({ observations }) =>
      observations.map(({ observation }) => observation.timeMs - RECORDED_AT),
    );
  return { recording, batches, said, ended, times };
}

describe('a recording in a lane', () => {
  test('that has a frame long after its end fails there, and keeps what was found before', async () => {
    const timeOf = (index: number) => (index < 10 ? index * 200 : 3_000_000_000);
    const { ended, said, times } = play({ frames: 20, durationSeconds: 4, timeOf });
    await ended;
    expect(times().at(-1)).toBe(1_800);
    expect(said[0]).toMatch(/^failed: The video has a frame at 833:20:00, after its end at 0:04\./);
    expect(said.slice(1)).toEqual(['read to 1800', 'r ended after 1800']);
  });

  test('is analysed frame by frame to its end, with the times at which it was recorded', async () => {
    const { ended, said, times } = play({ frames: 20 });
    await ended;
    expect(times()).toEqual(Array.from({ length: 20 }, (_, at) => at * 200));
    expect(said).toEqual(['read to 3800', 'r at its end after 3800']);
  });

  test('in which people are found only upside down tells the rotation', async () => {
    const person = { box: { left: 0.4, top: 0.2, right: 0.6, bottom: 0.8 }, score: 0.8, classId: 0 };
    const wanted = async (find: (model: Uint8Array) => Detection[]) => {
      const { ended, batches } = play({ frames: 20, durationSeconds: 4, find });
      await ended;
      return batches.at(-1)!.wantedRotation;
    };
    // Half of the picture is bright: the lower one.
    expect(await wanted((model) => (model[0] === 200 && model[3] === 200 ? [person] : []))).toBe(180);
    expect(await wanted(() => [])).toBeNull();
    expect(await wanted(() => [person])).toBeNull();
  });

  test('continues after the last frame of its checkpoint', async () => {
    const first = play({ frames: 10 });
    await first.ended;
    const { positionMs: afterMs, checkpoint } = first.batches.at(-1)!;
    const second = play({ frames: 20, afterMs, checkpoint });
    await second.ended;
    expect(second.times()).toEqual(Array.from({ length: 10 }, (_, at) => 2_000 + at * 200));
    const nothingLeft = play({ frames: 10, afterMs, checkpoint });
    await nothingLeft.ended;
    expect(nothingLeft.said).toEqual(['read to undefined', 'r at its end after 1800']);
  });

  test('gets on over frames that cannot be analysed', async () => {
    const { ended, said, times } = play({ frames: 20, isBlank: (index) => index >= 5 });
    await ended;
    expect(times()).toHaveLength(5);
    expect(said).toEqual(['read to 3800', 'r at its end after 800']);
    const blank = play({ frames: 20, isBlank: () => true });
    await blank.ended;
    expect(blank.said).toEqual(['read to 3800', 'r at its end after null']);
  });

  test('that cannot be read any further fails after what was read', async () => {
    const { ended, said } = play({ frames: 20, failsAt: 7 });
    await ended;
    expect(said).toEqual(['failed: the file is damaged', 'read to 1200', 'r ended after 1200']);
  });

  test('that is closed during a detection sends what came before, and nothing afterwards', async () => {
    let closing: Promise<void> | undefined;
    const onDetect = (recording: Recording, count: number) => {
      if (count === 8) closing = recording.close();
    };
    const { ended, said } = play({ frames: 20, onDetect });
    await ended;
    await closing;
    expect(said).toEqual(['read to 1200', 'r ended after 1200']);
  });

  test('waits while the node has four batches that are not stored', async () => {
    const { ended, batches, recording } = play({ frames: 2_000 });
    const until = async (count: number) => {
      while (batches.length < count) await new Promise(setImmediate);
    };
    await until(4);
    for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
    expect(batches).toHaveLength(4);
    recording.stored(2);
    await until(6);
    for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
    expect(batches).toHaveLength(6);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      recording.stored(batches.length);
      await new Promise(setImmediate);
    }
    expect(batches.at(-1)!.positionMs).toBe(1_999 * 200);
  });
});
