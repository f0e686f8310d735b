import { describe, expect, test } from '@jest/globals';
import { readFfmpegSummary } from '../../../src/video/ffmpeg/ffmpeg-summary.ts';

const TS_2018 = `Input #0, mpegts, from 'a.ts':
  Duration: 00:00:02.00, start: 1.400000, bitrate: 2710 kb/s
  Program 1
    Metadata:
      service_name    : Service01
    Stream #0:0[0x100]: Video: h264 (Constrained Baseline) ([27][0][0][0] / 0x001B), yuv420p(tv, bt709, progressive), 640x360 [SAR 4:3 DAR 64:27], 29.97 fps, 29.97 tbr, 90k tbn, 50 tbc
At least one output file must be specified`;
const MP4_5 = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'a.mp4':
  Duration: 00:01:01.50, start: 0.000000, bitrate: 2436 kb/s
  Stream #0:0[0x1](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo
  Stream #0:1[0x2](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(progressive), 1280x720, 2427 kb/s, 12.50 fps, 25 tbr, 12800 tbn (default)
    Side data:
      displaymatrix: rotation of -90.00 degrees
At least one output file must be specified`;

describe('what ffmpeg prints about an input', () => {
  test('a transport stream, printed by ffmpeg 4, is read', () => {
    expect(readFfmpegSummary(TS_2018)).toEqual({
      ...{ width: 853, height: 360, codec: 'h264', fps: '30000/1001', durationSeconds: 2, videoIndex: 0 },
      ...{ startMs: 0, colourMatrix: 'bt709', isFullFormat: true, format: 'mpegts' },
      videoTracks: [{ number: 0, width: 853, height: 360, codec: 'h264', fps: 30_000 / 1001 }],
    });
  });

  test('a turned video after an audio stream, printed by ffmpeg 5, is read', () => {
    expect(readFfmpegSummary(MP4_5)).toMatchObject({
      ...{
        width: 720,
        height: 1280,
        fps: '25',
        durationSeconds: 61.5,
        videoIndex: 0,
        colourMatrix: 'bt601',
      },
    });
  });

  test('of several videos the chosen one is read; where it is none of them, they are listed', () => {
    const two = TS_2018.replace(
      'At least',
      `    Stream #0:1[0x101]: Video: hevc (Main), yuv420p(tv), 320x180, 10 fps, 10 tbr, 90k tbn\nAt least`,
    );
    expect(readFfmpegSummary(two)).toMatchObject({ videoIndex: 0, width: 853 });
    expect(readFfmpegSummary(two, 1)).toMatchObject({ videoIndex: 1, width: 320, codec: 'hevc', fps: '10' });
    expect(readFfmpegSummary(two, 2)).toMatchObject([{ number: 0 }, { number: 1, width: 320 }]);
  });

  test.each([
    ['yuv420p(tv, bt709, progressive)', true],
    ['yuv420p', true],
    ['yuv420p(progressive)', true],
    ['yuv420p(pc, bt709, progressive)', false],
    ['yuvj420p(pc, bt470bg/unknown/unknown)', false],
    ['yuv420p10le(tv)', false],
    ['yuv422p(tv)', false],
  ])('whether %s is the format of full frames: %s', (pixels, isFullFormat) => {
    const text = TS_2018.replace('yuv420p(tv, bt709, progressive)', pixels);
    expect(readFfmpegSummary(text)).toMatchObject({ isFullFormat });
  });

  test.each([
    ['nothing', ''],
    ['no video', TS_2018.replace('Video: h264', 'Audio: mp2')],
    ['no size yet', TS_2018.replace('640x360 ', 'none ')],
    ['a cover picture', TS_2018.replace('50 tbc', '50 tbc (attached pic)')],
  ])('%s gives null', (_what, text) => expect(readFfmpegSummary(text)).toBeNull());
});
