import { describe, expect, test } from '@jest/globals';
import { explainFault } from '../../../src/vision/frames/stream-faults.ts';
import { parseStreamUrl } from '../../../src/vision/frames/stream-url.ts';

const CAMERA = parseStreamUrl('rtsp://bob:secret@10.0.0.5:8401/404');

describe('the reason of a fault', () => {
  test.each([
    ['Connection to tcp://10.0.0.5:8401?timeout=0 failed: Connection refused', /refuses connections/],
    ['[rtsp @ 0x1] method DESCRIBE failed: 401 Unauthorized', /\(401\): check user and password/],
    ['Server returned 403 Forbidden (access denied)', /\(403\)/],
    ['Server returned 404 Not Found', /does not exist/],
    ['Failed to resolve hostname nowhere: Name or service not known', /host name/],
    ['Connection timed out', /does not answer in time/],
    ['[mov,mp4 @ 0x1] moov atom not found', /not a video ffmpeg can read/],
    ['Invalid data found when processing input', /not a video ffmpeg can read/],
    ["[http @ 0x1] Protocol not on whitelist 'file'!", /not allowed/],
    ['something new', /cannot be read: something new$/],
    ['', /gives no reason/],
  ])('%s', (said, sentence) => {
    const explained = explainFault(CAMERA, `${CAMERA.input}: ${said}`.trim());
    expect(explained).toMatch(said === '' ? /^rtsp:\/\/\*\*\*/ : sentence);
    expect(explained).not.toMatch(/secret|bob/);
  });
});
