import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ffmpegInstaller from '@ffmpeg-installer/ffmpeg';
import { measureCpu } from '../../support/cpu-time.ts';
import { requireVideo } from '../../support/footage/video-frames.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { rounded } from '../../support/numbers.ts';
import { withTemporaryFolder } from '../../support/temporary-folder.ts';
import { table } from '../../support/terminal.ts';

const run = promisify(execFile);
const QUIET = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'];
/** Frames a second that cameras send, and that are analysed of them. */
const [SENT_FPS, ANALYSED_FPS] = [25, 5];
const CODECS = {
  'H.264': ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0'],
  'H.265': ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=0'],
} as const;
/** Height → rate of a camera. */
const SIZES = { 360: '1000k', 720: '2000k', 1080: '4000k', 2160: '12000k' } as const;

interface Cost {
  readonly film: string;
  readonly codec: string;
  readonly height: number;
  /** ffmpeg → CPU ms of a frame that the camera sends: decoding, and what becomes of each fifth frame. */
  readonly msPerFrame: Readonly<Record<string, number>>;
}

export const decoding = measuringCommand({
  name: 'decoding',
  description:
    'The CPU time of an ffmpeg for a frame that a camera sends, of which one in five is scaled for the detector and as a ' +
    'full frame, with npm’s ffmpeg and another one, for 360p to 4K, H.264 and H.265. Each number is the least of the rounds.',
  argument: ['video', 'a film to scale to these sizes; `none`: only a made-up one'],
  options: {
    other: ['the other ffmpeg', '/usr/bin/ffmpeg'],
    seconds: ['length of the films', 8],
    rounds: ['how often each is decoded', 3],
  },
  measure: ({ other, seconds, rounds }, video) =>
    withTemporaryFolder('bench-decoding', async (folder) => {
      if (video !== 'none') await requireVideo(video);
      const made = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${SENT_FPS}`];
      const films = {
        'made-up': made,
        ...(video !== 'none' && { given: ['-stream_loop', '-1', '-i', video] }),
      };
      const programs = { npm: ffmpegInstaller.path, other };
      const costs: Cost[] = [];
      for (const [film, input] of Object.entries(films)) {
        for (const [codec, encoder] of Object.entries(CODECS)) {
          for (const [height, rate] of Object.entries(SIZES)) {
            const file = join(folder, 'film.mp4');
            const filters = [
              '-vf',
              `fps=${SENT_FPS},scale=-2:${height},noise=alls=3:allf=t`,
              '-pix_fmt',
              'yuv420p',
            ];
            const steady = ['-b:v', rate, '-maxrate', rate, '-bufsize', rate, '-g', String(2 * SENT_FPS)];
            const length = ['-t', String(seconds), '-an'];
            // This one has an encoder for both.
            await run(other, [...QUIET, ...input, ...length, ...filters, ...encoder, ...steady, file]);
            const least: Record<string, number> = {};
            for (let round = 0; round < rounds; round++) {
              for (const [name, program] of Object.entries(programs)) {
                const ms = (await decodeCpu(program, file)) / ((seconds - 1) * SENT_FPS);
                least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, rounded(ms, 2));
              }
            }
            costs.push({ film, codec, height: Number(height), msPerFrame: least });
            process.stderr.write(`${film} ${codec} ${height}: ${JSON.stringify(least)}\n`);
          }
        }
      }
      const versions: Record<string, string> = {};
      for (const [name, program] of Object.entries(programs))
        versions[name] = (await run(program, ['-version'])).stdout.split(' ')[2] ?? '';
      return { versions, costs };
    }),
  report: ({ versions, costs }) =>
    table([
      [
        'film',
        'codec',
        'height',
        ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
        'ratio',
      ],
      ...costs.map(({ film, codec, height, msPerFrame: { npm, other } }) => [
        ...[film, codec, height, npm!.toFixed(2), other!.toFixed(2), (other! / npm!).toFixed(2)],
      ]),
    ]),
});

/** CPU ms of a film after its first second, as a lane has it decoded: the start of ffmpeg is no part of a frame's cost. */
async function decodeCpu(program: string, file: string): Promise<number> {
  const first = await decodePart(program, file, ['-t', '1']);
  return (await decodePart(program, file, [])) - first;
}

async function decodePart(program: string, file: string, part: readonly string[]): Promise<number> {
  const graph =
    `[0:v:0]fps=${ANALYSED_FPS}:round=up,split=2[a][b];[a]scale=512:288:flags=fast_bilinear,format=rgb24,pad=512:384[model];` +
    `[b]scale='min(960,iw)':-2:flags=fast_bilinear,format=yuv420p[full]`;
  const input = [
    '-threads',
    '1',
    ...part,
    '-i',
    file,
    '-filter_complex_threads',
    '1',
    '-filter_complex',
    graph,
  ];
  const out = (label: string) => [
    '-map',
    label,
    '-vsync',
    'passthrough',
    '-f',
    'rawvideo',
    '-threads',
    '1',
    '/dev/null',
  ];
  const argv = [...QUIET, ...input, ...out('[model]'), ...out('[full]')];
  return (await measureCpu(async () => void (await run(program, argv)))).children * 1000;
}
