import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { nodeArguments } from '../../../src/platform/processes/program-file.ts';
import { PROJECT } from '../../../src/platform/project.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { closeServer, freePort, listen } from '../../support/loopback.ts';
import { until } from '../../support/until.ts';

/** A camera served by other people's software. It already sends video. */
export interface KeyFrameCamera {
  /** Addresses by the transport that they test. */
  readonly addresses: Readonly<Record<string, string>>;
  /** An address to which nobody publishes; null where the server has no such thing. */
  readonly emptyAddress: string | null;
  close(): Promise<void>;
}

const FPS = 10;
const FOLDER = 'scripts/chaos/cameras';
const READY_SECONDS = 60;

/** By server: opens its camera; null where it is not installed. @param seconds between two key frames */
export const CAMERAS: Readonly<Record<string, (seconds: number) => Promise<KeyFrameCamera | null>>> = {
  'GStreamer RTSP server': serveRtsp,
  'node-media-server': serveRtmp,
  HLS: serveHls,
};

async function serveRtsp(seconds: number): Promise<KeyFrameCamera | null> {
  const python = ['python3', '/usr/bin/python3'].find(hasGstreamer);
  if (python === undefined) return null;
  const port = await freePort();
  const server = spawn(
    python,
    [join(PROJECT, FOLDER, 'rtsp-server.py'), String(port), String(seconds)],
    QUIET,
  );
  await listening(server, port);
  const url = `rtsp://viewer:secret@127.0.0.1:${port}/camera`;
  // The server encodes only while somebody reads. With this reader the next one starts between two key frames.
  const reader = await ffmpeg('-rtsp_transport', 'tcp', '-i', url, '-c', 'copy', '-f', 'null', '-');
  return {
    addresses: { 'RTSP over TCP': url, 'RTSP over UDP': `${url}?transport=udp` },
    emptyAddress: null,
    close: () => end(reader, server),
  };
}

function hasGstreamer(python: string): boolean {
  const script =
    "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import GstRtspServer";
  return spawnSync(python, ['-c', script], { stdio: 'ignore' }).status === 0;
}

async function serveRtmp(seconds: number): Promise<KeyFrameCamera | null> {
  const port = await freePort();
  const argv = [...nodeArguments(`${FOLDER}/rtmp-server.ts`), String(port)];
  const server = spawn(process.execPath, argv, QUIET);
  await listening(server, port);
  const url = `rtmp://127.0.0.1:${port}/live`;
  const publisher = await ffmpeg(...encoding(seconds), '-f', 'flv', `${url}/main`);
  return {
    addresses: { RTMP: `${url}/main` },
    emptyAddress: `${url}/sub`,
    close: () => end(publisher, server),
  };
}

async function serveHls(seconds: number): Promise<KeyFrameCamera | null> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-hls-'));
  const playlist = join(folder, 'live.m3u8');
  const form = ['-f', 'hls', '-hls_time', String(seconds), '-hls_list_size', '4'];
  const encoder = await ffmpeg(...encoding(seconds), ...form, '-hls_flags', 'delete_segments', playlist);
  const server = createServer((request, response) => {
    const file = createReadStream(join(folder, basename(request.url ?? '')));
    file.on('error', () => response.writeHead(404).end());
    file.on('open', () => file.pipe(response));
  });
  const port = await listen(server);
  await until('the HLS playlist is there', () => existsSync(playlist), READY_SECONDS);
  return {
    addresses: { HLS: `http://127.0.0.1:${port}/live.m3u8` },
    emptyAddress: null,
    async close() {
      await end(encoder);
      await closeServer(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const QUIET = { stdio: 'ignore' } as const;

async function ffmpeg(...argv: string[]): Promise<ChildProcess> {
  const { ffmpeg: binary } = await findFfmpeg({});
  return spawn(binary.path, ['-nostdin', '-loglevel', 'quiet', ...argv], QUIET);
}

/** ffmpeg's arguments for a test video in real time with a key frame every so many seconds. */
const encoding = (seconds: number): string[] => [
  ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=${FPS}`, '-c:v', 'libx264'],
  ...['-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-sc_threshold', '0'],
  ...['-g', String(FPS * seconds), '-keyint_min', String(FPS * seconds)],
];

/** @throws Error when the server ends or does not listen in time */
async function listening(server: ChildProcess, port: number): Promise<void> {
  const listens = () => {
    if (server.exitCode !== null) throw new Error('A camera server ended while it started.');
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const answer = (is: boolean) => {
        socket.destroy();
        resolve(is);
      };
      socket.once('connect', () => answer(true)).once('error', () => answer(false));
    });
  };
  await until('a camera server listens', listens, READY_SECONDS, 100);
}

async function end(...children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exit;
    }),
  );
}
