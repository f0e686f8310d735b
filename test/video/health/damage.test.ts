import { describe, expect, test } from '@jest/globals';
import { DamageWatch } from '../../../src/video/health/damage-watch.ts';

// Of real videos with damaged bytes: damage.release.ts.

describe('the log of ffmpeg', () => {
  const frame = (seconds: number, key = false) =>
    `[info] decoder -> ist_index:0 type:video frame_pts:1 frame_pts_time:${seconds} best_effort_ts:1 ` +
    `best_effort_ts_time:${seconds} keyframe:${key ? 1 : 0} frame_type:${key ? 1 : 2} time_base:1/90000`;
  const HOLES = '[h264 @ 0x1] [info] concealing 12 DC, 12 AC, 12 MV errors in P frame';
  function watching(...lines: string[]): DamageWatch {
    const watch = new DamageWatch();
    for (const line of ['[info] Stream mapping:', ...lines]) watch.line(line);
    return watch;
  }

  test('frames are damaged until a key frame has come and three seconds passed without damage', () => {
    const watch = watching(frame(0, true), frame(0.5), HOLES, frame(1));
    expect(watch.take()).toBe(true);
    for (const seconds of [2, 3, 4, 5, 6, 7]) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
    watch.line(frame(8, true));
    watch.take();
    expect(watch.take()).toBe(false);
  });

  test('a damaged key frame does not end the damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1, true));
    for (const seconds of [2, 3, 4, 5]) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
  });

  test('without key frames the damage ends after 30 s without new damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1));
    for (let seconds = 2; seconds <= 30; seconds++) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
    for (let seconds = 31; seconds <= 33; seconds++) watch.line(frame(seconds));
    watch.take();
    expect(watch.take()).toBe(false);
  });

  test('a clock that jumps does not shorten the damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1), frame(2, true), frame(90_000), frame(5));
    expect(watch.take()).toBe(true);
  });

  test.each([
    '[swscaler @ 0x1] [warning] deprecated pixel format used, make sure you did set range correctly',
    '[rawvideo @ 0x1] [warning] Non-monotonous DTS in output stream 0:0; previous: 5, current: 4',
    '[h264 @ 0x1] [error] SEI type 5 size 2048 truncated at 24',
    '[h264 @ 0x1] [error] mmco: unref short failure',
    '[h264 @ 0x1] [error] number of reference frames (0+5) exceeds max (4; probably corrupt input), discarding one',
    '[h264 @ 0x1] [error] no frame!',
    '[error] Error while decoding stream #0:0: Invalid data found when processing input',
    '[mjpeg @ 0x1] [error] overread 8',
    '[mjpeg @ 0x1] [error] unable to decode APP fields: Invalid data found when processing input',
    '[rtsp @ 0x1] [warning] max delay reached. need to consume packet',
  ])('no damage: %s', (line) => {
    expect(watching(frame(0, true), line, frame(1)).take()).toBe(false);
  });

  test.each([
    HOLES,
    '[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [warning] corrupt decoded frame',
    'rtsp://camera/: [warning] corrupt decoded frame in stream 0',
    '[h264 @ 0x1] [error] Frame num gap 5 3',
    '[hevc @ 0x1] [error] Could not find ref with POC 12',
    '[mjpeg @ 0x1] [error] error count: 64',
    '[rtsp @ 0x1] [warning] RTP: missed 7 packets',
    '[hevc @ 0x1] [debug] Output frame with POC 0/4.',
  ])('damage: %s', (line) => {
    expect(watching(frame(0, true), line, frame(1)).take()).toBe(true);
  });

  test('HEVC frames that are output in another order than decoded are not damaged', () => {
    const said = (what: string, poc: number) => `[hevc @ 0x1] [debug] ${what} frame with POC ${poc}.`;
    const lines = [
      said('Decoded', 0),
      said('Decoded', 4),
      said('Output', 0),
      said('Decoded', 2),
      frame(0, true),
    ];
    const more = [said('Output', 2), said('Decoded', 3), frame(1), said('Output', 4), frame(2)];
    expect(watching(...lines, ...more).take()).toBe(false);
  });
});
