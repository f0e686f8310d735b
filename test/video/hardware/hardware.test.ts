import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { findHardware } from '../../../src/video/hardware/find-hardware.ts';
import { isHardwareFault } from '../../../src/video/hardware/hardware.ts';
import { FFMPEG_PATHS, scratchFolder } from '../../support/ffmpeg.ts';
import { fakeHardware } from './fake-hardware.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the hardware is taken that decodes a clip; one that ffmpeg only lists is not', async () => {
  const works = await findFfmpeg({ ...FFMPEG_PATHS, ffmpegPath: await fakeHardware(folder, 'works') });
  expect(await findHardware(works.ffmpeg, 'auto')).toEqual({ hardware: 'vaapi', reason: null });
  expect((await findHardware(works.ffmpeg, 'cuda')).reason).toEqual({
    sentence: 'Video is decoded by software (cuda: ffmpeg was built without it).',
    cause: { code: 'decoder_unusable', hardware: 'cuda', detail: 'cuda: ffmpeg was built without it' },
  });
  const broken = await findFfmpeg({
    ...FFMPEG_PATHS,
    ffmpegPath: await fakeHardware(folder, 'broken', 'echo "Device creation failed: -5." >&2; exit 1'),
  });
  const { hardware, reason } = await findHardware(broken.ffmpeg, 'auto');
  expect(hardware).toBeNull();
  expect(reason?.sentence).toContain('vaapi: Device creation failed: -5');
  expect(reason?.cause.code).toBe('no_decoder');
});

test('an ffmpeg that does not run at all is software too', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const { hardware, reason } = await findHardware({ ...ffmpeg, path: join(folder, 'missing') }, 'auto');
  expect(hardware).toBeNull();
  expect(reason).not.toBeNull();
});

test.each([
  ['Device setup failed for decoder on input stream #0:0 : Invalid argument', true],
  ['[AVHWDeviceContext @ 0x1] No VA display found for device: .', true],
  ['Error reinitializing filters!', true],
  ['cuvidCreateDecoder failed: CUDA_ERROR_OUT_OF_MEMORY', true],
  ['Connection refused', false],
  ['error while decoding MB 12 3, bytestream -5', false],
])('what ffmpeg writes about its hardware: %s', (line, isFault) => {
  expect(isHardwareFault(line)).toBe(isFault);
});
