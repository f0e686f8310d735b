import { describe, expect, test } from '@jest/globals';
import { faultFromLog } from '../../src/video/camera-fault.ts';
import type { StreamFaultReason } from '../../src/video/stream-error.ts';
import { parseStreamUrl } from '../../src/video/stream-url.ts';

const CAMERA = parseStreamUrl('rtsp://bob:secret@10.0.0.5:8401/404');

describe('a fault from a log', () => {
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
  ])('"%s" gives a sentence without credentials', (said, sentence) => {
    const explained = faultFromLog(CAMERA, `${CAMERA.input}: ${said}`.trim()).message;
    expect(explained).toMatch(said === '' ? /^rtsp:\/\/\*\*\*/ : sentence);
    expect(explained).not.toMatch(/secret|bob/);
  });

  test.each<[string, StreamFaultReason]>([
    ['Connection refused', 'connection_refused'],
    ['method DESCRIBE failed: 401 Unauthorized', 'wrong_credentials'],
    ['Server returned 403 Forbidden', 'access_denied'],
    ['Server returned 404 Not Found', 'no_such_stream'],
    ['Name or service not known', 'host_unknown'],
    ['No route to host', 'unreachable'],
    ['Connection timed out', 'timeout'],
    ['TLS handshake failed', 'tls_failed'],
    ['Server returned 5XX Server Error reply', 'server_error'],
    ['Server returned 400 Bad Request', 'not_a_camera'],
    ['Server returned 4XX Client Error, but not one of 40{0,1,3,4}', 'not_a_camera'],
    ['Invalid data found when processing input', 'not_a_camera'],
    ['no video', 'no_video'],
    ["Protocol not on whitelist 'file'!", 'address_not_allowed'],
    ['Connection reset by peer', 'broken_off'],
    ['something new', 'unreadable'],
  ])('"%s" gives the reason %s', (said, reason) => {
    expect(faultFromLog(CAMERA, said).reason).toBe(reason);
  });
});
