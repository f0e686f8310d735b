import { describe, expect, test } from '@jest/globals';
import {
  type DecodePlan,
  ffmpegArguments,
  fitFullFrame,
  type Reading,
} from '../../../src/video/ffmpeg/ffmpeg-arguments.ts';
import type { Binary } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { fitLetterbox } from '../../../src/video/ffmpeg/letterbox.ts';
import { BLOCK_LIMIT, DECODER_LIMITS } from '../../../src/video/ffmpeg/media-limits.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';

const OLD: Binary = { path: 'ffmpeg', version: 'N-47683', major: 4, rtspTimeoutOption: '-stimeout' };
const NEW: Binary = { path: 'ffmpeg', version: '7.1', major: 7, rtspTimeoutOption: '-timeout' };

function plan(url: string, reading: Reading, more: Partial<DecodePlan> = {}): DecodePlan {
  return {
    input: {
      kind: 'stream',
      address: parseStreamUrl(url),
      videoIndex: 0,
      codec: 'h264',
      reading,
      ioTimeoutMs: 15_000,
    },
    fps: '5',
    thinning: true,
    letterbox: { inputWidth: 416, inputHeight: 416, contentWidth: 416, contentHeight: 234 },
    full: { width: 960, height: 540 },
    isFullFormat: false,
    decodeThreads: 1,
    recorded: null,
    ...more,
  };
}
/** Without the limits of memory and decoders, which are the same for each stream. */
const line = (decode: DecodePlan, binary = OLD) =>
  ffmpegArguments(decode, binary)
    .join(' ')
    .replace(`${BLOCK_LIMIT.join(' ')} `, '')
    .replace(` ${DECODER_LIMITS.join(' ')}`, '');

const START =
  '-nostdin -hide_banner -nostats -loglevel level+verbose -debug_ts -filter_complex_threads 1 -threads 1 -protocol_whitelist';
const AT_ONCE = '-analyzeduration 1000000 -probesize 1000000 -fpsprobesize 0';
const MODEL = 'scale=416:234:flags=fast_bilinear,format=rgb24,pad=416:416:0:0:color=0x727272,setsar=1[model]';
const FULL = 'scale=960:540:flags=fast_bilinear:out_range=tv,format=yuv420p,setsar=1[full]';
const OUT = '-vsync passthrough -an -sn -dn -f rawvideo -threads 1';
const END = `,split=2[a][b];[a]${MODEL};[b]${FULL}`;
/** What picks frames of a file, and of a camera. */
const STEADY = 'fps=fps=5:round=up';
const DUE = "select='if(gte(t,ld(0)-0)+lt(t,ld(0)-2*1/(5)),st(0,clip(ld(0),t-1/(5),t+0)+1/(5)),0)'";

describe('ffmpeg arguments', () => {
  test.each<[string, Reading, string]>([
    ['/v/a.mp4', 'fast', 'file -i file:/v/a.mp4'],
    [
      'rtsp://cam/1',
      'arrival',
      `rtsp,rtp,tcp -rtsp_transport tcp -allowed_media_types video -stimeout 15000000 ${AT_ONCE} -use_wallclock_as_timestamps 1 -i rtsp://cam/1`,
    ],
    [
      'http://cam/v.ts',
      'arrival',
      `http,https,tls,tcp,crypto -rw_timeout 15000000 ${AT_ONCE} -use_wallclock_as_timestamps 1 -i http://cam/v.ts`,
    ],
    [
      'https://cam/l.m3u8',
      'paced',
      `http,https,tls,tcp,crypto -rw_timeout 15000000 ${AT_ONCE} -re -i https://cam/l.m3u8`,
    ],
    [
      'rtmp://cam/1',
      'arrival',
      `rtmp,tcp -rw_timeout 15000000 ${AT_ONCE} -use_wallclock_as_timestamps 1 -i rtmp://cam/1`,
    ],
  ])('the arguments for %s with reading `%s` are right', (url, reading, input) => {
    const picked = reading === 'fast' ? STEADY : DUE;
    expect(line(plan(url, reading))).toBe(
      `${START} ${input} -filter_complex [0:v:0]${picked}${END} -map [model] ${OUT} pipe:1 -map [full] ${OUT} pipe:3`,
    );
  });

  test('a range is given only if the frames do not have it already', () => {
    expect(line(plan('/v/a.mp4', 'fast', { isFullFormat: true }))).toContain(
      '[b]scale=960:540:flags=fast_bilinear,format=yuv420p,setsar=1[full]',
    );
  });

  test('each ffmpeg gets the option names of its release', () => {
    const now = line(plan('rtsps://cam/1', 'arrival'), NEW);
    expect(now).toContain(' -timeout 15000000 ');
    expect(now).toContain(' -fps_mode passthrough ');
    expect(now).not.toMatch(/stimeout|vsync/);
  });

  test('each stream has the limits of memory and decoders', () => {
    const argv = ffmpegArguments(plan('rtsp://c/1', 'arrival'), NEW).join(' ');
    expect(argv).toMatch(/-max_alloc \d+ .*-max_pixels:v \d+ -codec_whitelist:v h264,\S+ .*-i rtsp:/);
  });

  test('no network input may open a file', () => {
    for (const url of ['rtsp://c/1', 'rtsps://c/1', 'rtmp://c/1', 'http://c/1', 'https://c/1']) {
      const argv = ffmpegArguments(plan(url, 'arrival'), NEW);
      const allowed = argv[argv.indexOf('-protocol_whitelist') + 1]!.split(',');
      expect(
        allowed.filter((name) => /^(file|concat|subfile|data|pipe|unix|cache|async)$/.test(name)),
      ).toEqual([]);
    }
  });

  test('an address with spaces and dashes stays one argument', () => {
    const argv = ffmpegArguments(plan('/v/a b -i c.mp4', 'fast'), NEW);
    expect(argv[argv.indexOf('-i') + 1]).toBe('file:/v/a b -i c.mp4');
  });

  test('drawn frames are read from standard input', () => {
    const drawn = plan('/unused', 'fast', {
      input: { kind: 'raw', width: 1280, height: 720, pixelFormat: 'rgb24', fps: 5 },
      thinning: false,
      full: null,
    });
    expect(line(drawn)).toBe(
      '-hide_banner -nostats -loglevel level+verbose -filter_complex_threads 1 -protocol_whitelist pipe -f rawvideo ' +
        '-pixel_format rgb24 -video_size 1280x720 -framerate 5 -i pipe:0 ' +
        `-filter_complex [0:0]${MODEL} -map [model] ${OUT} pipe:1`,
    );
  });

  test('only HTTP addresses get a proxy', () => {
    const through = (url: string) => {
      const decode = plan(url, 'arrival');
      return line({
        ...decode,
        input: { ...decode.input, httpProxy: 'http://127.0.0.1:1' } as DecodePlan['input'],
      });
    };
    expect(through('http://cam/1')).toContain('-http_proxy http://127.0.0.1:1');
    expect(through('rtsp://cam/1')).not.toContain('http_proxy');
  });
});

describe('sizes', () => {
  test.each([
    [1280, 720, 416, 234],
    [720, 1280, 234, 416],
    [100, 100, 416, 416],
    [1920, 817, 416, 177],
  ])('%d×%d fits 416×416 as %d×%d', (width, height, contentWidth, contentHeight) => {
    expect(fitLetterbox({ width, height }, 416, 416)).toMatchObject({ contentWidth, contentHeight });
  });

  test.each([
    [1920, 1080, 960, 540],
    [640, 360, 640, 360],
    [641, 361, 640, 360],
    [1080, 1920, 540, 960],
    [5000, 10, 960, 2],
  ])('the full frame of %d×%d is %d×%d: even, never enlarged', (width, height, w, h) => {
    expect(fitFullFrame({ width, height }, 960)).toEqual({ width: w, height: h });
  });
});
