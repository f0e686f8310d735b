import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { type DecodePlan, ffmpegArguments } from '../../../src/video/ffmpeg/ffmpeg-arguments.ts';
import { type FfmpegBinaries, findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { DEFAULT_FULL_LONG_SIDE } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { planStream } from '../../../src/video/ffmpeg/stream-plan.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import type { Letterbox } from '../../../src/vision/types.ts';

const TIMEOUT_MS = 15_000;

export interface BareDecodeOptions {
  readonly video: string;
  readonly fps: number;
  /** The model's input size in pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
}

/** ffmpeg with the arguments of a lane. Its frames are discarded. */
export class BareDecode {
  /** How the frames lie in the input. */
  readonly letterbox: Letterbox;
  readonly #plan: DecodePlan;
  readonly #binaries: FfmpegBinaries;

  private constructor(plan: DecodePlan, binaries: FfmpegBinaries, letterbox: Letterbox) {
    this.letterbox = letterbox;
    this.#plan = plan;
    this.#binaries = binaries;
  }

  /** @throws StreamError when the video cannot be read */
  static async prepare(options: BareDecodeOptions): Promise<BareDecode> {
    const { video, fps, inputWidth, inputHeight, ffmpegPath, ffprobePath } = options;
    const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
    const address = parseStreamUrl(video);
    const probed = await probeWithFfprobe({ address, binaries, timeoutMs: TIMEOUT_MS });
    const input = { fps, inputWidth, inputHeight, fullLongSide: DEFAULT_FULL_LONG_SIDE };
    const { decode, info } = planStream(
      probed,
      { address, ioTimeoutMs: TIMEOUT_MS },
      { ...input, pace: 'fast', decodeThreads: 1 },
    );
    return new BareDecode(decode, binaries, info.letterbox);
  }

  /** Decodes this number of frames to /dev/null. */
  async run(frames: number): Promise<void> {
    const args = ffmpegArguments(this.#plan, this.#binaries.ffmpeg).flatMap((argument) =>
      argument.startsWith('pipe:') ? ['-frames:v', String(frames), argument] : [argument],
    );
    const nowhere = await open('/dev/null', 'w');
    try {
      const { fd } = nowhere;
      const child = spawn(this.#binaries.ffmpeg.path, args, { stdio: ['ignore', fd, 'ignore', fd] });
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`ffmpeg ended with code ${code} while decoding to /dev/null.`);
    } finally {
      await nowhere.close();
    }
  }
}
