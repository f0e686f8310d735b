import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CameraAccess } from '../../../src/cameras/devices/camera-access.ts';
import { probeStream } from '../../../src/cameras/devices/probe-stream.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { NetworkGuard } from '../../../src/platform/network/network-guard.ts';
import { FFMPEG_PATHS } from '../../support/ffmpeg.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import {
  refusedUrl,
  type StreamServer,
  serveHttp,
  serveLive,
  serveRtmp,
  serveSilence,
} from '../../support/servers/stream-server.ts';

const cameras = new CameraAccess({ ...loadConfig({ STREAM_ALLOW_HOSTS: '127.0.0.1' }), ...FFMPEG_PATHS });
const SHORT = { ffprobeMs: 1_500, quickMs: 300, allMs: 25_000 };

/** Probes a camera and closes it. */
async function probed(
  serving: Promise<StreamServer>,
  limits: typeof SHORT | undefined = undefined,
  login = '',
) {
  const camera = await serving;
  try {
    return await probeStream(camera.url.replace('://', `://${login}`), cameras, {
      networks: [],
      ...(limits && { limits }),
    });
  } finally {
    await camera.close();
  }
}
const offlineFor = (reason: string, sentence: RegExp) => ({
  onlineStatus: 'offline',
  info: null,
  fault: { reason, sentence: expect.stringMatching(sentence) },
});
const page = () =>
  serveHttp((_, response) => response.setHeader('Content-Type', 'text/html').end('<html></html>'));
const answering = (status: number) => serveHttp((_, response) => response.writeHead(status).end());
/** A server that sends this status to every RTSP request. */
const rtspAnswer = (status: string) => serveSilence('rtsp', `RTSP/1.0 ${status}\r\nCSeq: 1\r\n\r\n`);

describe('why a camera is offline', () => {
  test.each(['rtsp', 'rtmp', 'http', 'https'])(
    '%s: a host that no name server knows gives host_unknown',
    async (scheme) => {
      const found = await probeStream(`${scheme}://no-such-camera.invalid/live`, cameras, { networks: [] });
      expect(found).toEqual(
        offlineFor('host_unknown', /host name that is not known here: check its address/),
      );
    },
  );

  test('a look-up without an answer ends at its time limit', async () => {
    const guard = new NetworkGuard(
      { networks: [], allowedHosts: [], ownHosts: [] } as never,
      () => new Promise(() => {}),
      20,
    );
    await expect(guard.resolve('camera.example', 554)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  test.each(['rtsp', 'rtmp', 'http'])(
    '%s: a port that refuses connections gives connection_refused',
    async (scheme) => {
      const found = await probeStream(await refusedUrl(scheme), cameras, { networks: [] });
      expect(found).toEqual(offlineFor('connection_refused', /check host and port/));
    },
  );

  test('a wrong password over RTSP and HTTP gives wrong_credentials without the password', async () => {
    const rtsp = await probed(serveRtsp({ credentials: 'user:right' }), undefined, 'user:wrong@');
    expect(rtsp).toEqual(offlineFor('wrong_credentials', /check user and password/));
    expect(rtsp.fault?.sentence).not.toMatch(/user:|wrong/);
    expect(await probed(answering(401))).toEqual(offlineFor('wrong_credentials', /401/));
  });

  test('a path that the camera does not have gives no_such_stream over RTSP and HTTP', async () => {
    const wanted = offlineFor('no_such_stream', /check the path/);
    expect(await probed(rtspAnswer('404 Not Found'))).toEqual(wanted);
    expect(await probed(answering(404))).toEqual(wanted);
  });

  test('audio without video gives no_video over RTSP and HTTP', async () => {
    const wanted = offlineFor('no_video', /no video that can be read/);
    expect(await probed(serveRtsp({ media: 'audio' }))).toEqual(wanted);
    const tone = ['-re', '-t', '60', '-f', 'lavfi', '-i', 'sine', '-c:a', 'mp2', '-f', 'mpegts'];
    expect(await probed(serveLive('video/mp2t', () => tone))).toEqual(wanted);
  });

  test('bytes without a frame are no camera, whatever their type says', async () => {
    const noise = Buffer.concat(
      Array.from({ length: 4_000 }, (_, at) => createHash('sha256').update(String(at)).digest()),
    );
    const camera = await serveHttp((_, response) => {
      response.writeHead(200, { 'Content-Type': 'video/mp2t' });
      const sending = setInterval(() => response.write(noise), 20);
      response.once('close', () => clearInterval(sending));
    });
    const found = await probeStream(camera.url, cameras, { networks: [], wanted: 'presence', limits: SHORT });
    expect(found).toEqual(offlineFor('not_a_camera', /not a video/));
    await camera.close();
  });

  test('a web page, a web server asked for RTSP and another protocol are no camera', async () => {
    expect(await probed(page())).toEqual(offlineFor('not_a_camera', /not a video/));
    const asRtsp = page().then((server) =>
      Object.assign(server, { url: server.url.replace('http', 'rtsp') }),
    );
    expect(await probed(asRtsp)).toEqual(offlineFor('not_a_camera', /check|not a video/));
    const ssh = await probed(serveSilence('rtsp', 'SSH-2.0-OpenSSH_9.2\r\n'), SHORT);
    expect(ssh.fault?.reason).toMatch(/not_a_camera|timeout/);
  });

  test.each(['rtsp', 'rtmp', 'http'])(
    '%s: a host that accepts the connection and sends nothing gives timeout',
    async (scheme) => {
      expect(await probed(serveSilence(scheme), SHORT)).toEqual(
        offlineFor('timeout', /does not answer in time/),
      );
    },
  );

  test('an address where streams may not lead gives address_not_allowed', async () => {
    const found = await probeStream('rtsp://127.0.0.2/live', cameras, { networks: [] });
    expect(found).toEqual(offlineFor('address_not_allowed', /may not lead/));
  });
});

describe('a camera is online', () => {
  test('with size and rate of its video', async () => {
    const wanted = { onlineStatus: 'online', info: { width: 320, height: 180 }, fault: null };
    expect(await probed(serveRtsp())).toMatchObject(wanted);
    expect(await probed(serveRtmp())).toMatchObject(wanted);
  });

  test('before a start as soon as it has described a video, without its size', async () => {
    const camera = await serveRtsp();
    camera.sending = false;
    const found = await probeStream(camera.url, cameras, { networks: [], wanted: 'presence' });
    expect([found.onlineStatus, camera.connections]).toEqual(['online', 1]);
    await camera.close();
  });

  test('once it has described a video, although no key frame comes', async () => {
    const silent = serveRtsp().then((camera) => Object.assign(camera, { sending: false }));
    expect(await probed(silent, { ...SHORT, quickMs: 2_000 })).toEqual({
      onlineStatus: 'online',
      info: null,
      fault: null,
    });
  });
});

test('however patient both probes are, all of it ends in time', async () => {
  const { fault } = await probed(serveSilence('http'), { ...SHORT, ffprobeMs: 3_600_000, allMs: 1_500 });
  expect(fault?.reason).toBe('timeout');
});
